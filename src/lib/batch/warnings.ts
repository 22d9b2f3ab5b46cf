/** What a person should know before agreeing to a plan, found in the journal and in the plan. */

import { howMany } from '../contract/core/text.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { isSameService } from '../contract/service.ts'
import type { Desk } from '../desk/desk.ts'
import { scopeOf } from '../desk/draft.ts'
import { paidAccounts } from '../desk/payees.ts'
import { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import { likenessOf, mayHaveRun } from '../journal/intent.ts'
import { KnownPayees } from '../journal/payees.ts'
import { shortagesInWords } from '../spending.ts'
import { type PlanRowRow, payeesAfter, rowsAlike } from '../store/plans.ts'
import { Count } from './count.ts'
import { findShortages, NewRows } from './limits.ts'
import { findLeftUnderName, type PlanParts } from './other-plans.ts'
import type { PlanStore } from './plans.ts'
import { RowDoubts } from './read/check.ts'
import { FirstFew } from './read/first-few.ts'
import { paymentInWords } from './reason.ts'
import type { PlannedRow } from './row-state.ts'
import { paymentOf, readPlanRows, requestOfRow } from './rows.ts'

/** Milliseconds in which another payout of the same sum to the same payee is a suspected duplicate. */
const recently = 24 * 60 * 60 * 1000

/** Rows that are told one by one. */
const mostTold = 10

export type Findings = Awaited<ReturnType<typeof findWarnings>>

type Found = FirstFew<string>

const few = () => new FirstFew<string>(mostTold)

interface FindingParts extends PlanParts {
  readonly desk: Desk
  /** True if the ids of some rows depend on the name of the plan. */
  readonly hasKeyless: boolean
}

export async function findWarnings(noting: FindingParts) {
  const { desk, holding, store } = noting
  // Rows that were sent before; whose key stands for another payment; that this profile sent to another address.
  const [replayed, takenKeys, elsewhere] = [few(), few(), few()]
  // Rows that look like a payout of the last 24 hours; that are held; with a known payee and another account, or the reverse.
  const [alikeRecently, held, otherAccounts] = [few(), few(), few()]
  // Rows with an account and no name; plans of the same name with rows left to pay that this one lacks.
  const [nameless, sameName] = [few(), few()]
  const newRows = new NewRows()
  const doubts = new RowDoubts(desk.journal.moment.now)
  const known = new KnownPayees(await desk.journal.payees.list(desk.profile.name))
  const count = new Count(desk.journal)
  for await (const rows of readPlanRows(desk, holding, store)) {
    for (const row of rows) {
      newRows.add(row)
      count.add(row)
      doubts.add(row.planned.number, requestOfRow(row.planned), paymentOf(row.planned)?.block.executionDate ?? null)
      if (isNameless(row)) nameless.add(() => `row ${row.planned.number}`)
      const { planned, intent, state, isTakenKey } = row
      const at = `row ${planned.number}`
      if (isTakenKey && intent) {
        const list = isSameService(intent, scopeOf(desk.profile)) ? takenKeys : elsewhere
        list.add(() => `${at}: ${planned.business_key ?? planned.unique_id} is ${paymentInWords(intent)}`)
      } else if (state === 'held') held.add(() => `${at}: ${intent?.journalId}`)
      else if (intent && mayHaveRun(intent)) replayed.add(() => `${at}: ${intent.journalId} (${state})`)
    }
    await addRecentlyPaid(desk, rows, alikeRecently)
    if (!known.isEmpty) for (const { planned } of rows) addPayeeAlarm(planned, known, otherAccounts)
  }
  const shortages = await findShortages(desk, newRows)
  for (const words of noting.hasKeyless ? await findLeftUnderName(noting) : []) sameName.add(() => words)
  const lists = { replayed, takenKeys, elsewhere, alikeRecently, held, otherAccounts, nameless, sameName }
  return {
    ...lists,
    shortages,
    alike: await findAlike(store),
    oddities: doubts.inWords,
    /** Whether money has moved for the ids and keys of these rows. */
    moneyMoved: count.moneyMoved,
    ...(await findFirstTime(desk, store, known)),
  }
}

function isNameless({ planned }: PlannedRow): boolean {
  const { toIban, beneficiaryName } = requestOfRow(planned)
  return toIban !== undefined && beneficiaryName === undefined
}

function addPayeeAlarm(planned: PlanRowRow, known: KnownPayees, list: Found): void {
  const { payeeName = null } = createPayout.moves(requestOfRow(planned))
  const alarm = known.alarm({ name: payeeName, account: planned.payee })
  if (alarm !== null) list.add(() => `row ${planned.number}: ${alarm.inWords}`)
}

async function addRecentlyPaid(desk: Desk, rows: readonly PlannedRow[], list: Found): Promise<void> {
  const since = new Date(desk.journal.moment.now - recently).toISOString()
  const payees = [...new Set(rows.map(({ planned }) => planned.payee))]
  const scope = scopeOf(desk.profile)
  const recent = await desk.journal.list({ scope, payees, since, operations: [createPayout] })
  const own = new Set(rows.map(({ planned }) => planned.unique_id))
  const others = recent.filter((intent) => mayHaveRun(intent) && !own.has(intent.uniqueId))
  const bySum = new Map(others.map((intent) => [likenessOf(intent.payee, intent.amountMinor, intent.currency), intent]))
  for (const { planned } of rows) {
    const same = bySum.get(likenessOf(planned.payee, planned.amount_minor, planned.currency))
    if (same) list.add(() => `row ${planned.number}: ${same.journalId} of ${same.openedAt}`)
  }
}

/** Groups of rows without a key that have payee and sum in common. */
async function findAlike(store: PlanStore): Promise<Found> {
  const found = await store.ask((db) => rowsAlike(db, 1000))
  const list = few()
  for (const numbers of found) list.add(() => `rows ${numbers.slice(0, 5).join(', ')}${numbers.length > 5 ? ' …' : ''}`)
  return list
}

/** Payees of one query. */
const piece = 500

/** Beneficiaries that this journal has not paid before, and the number of those that are listed as known. */
async function findFirstTime(desk: Desk, store: PlanStore, listed: KnownPayees) {
  const firstTime = few()
  for (let [after, known] = ['', 0]; ; ) {
    const payees = await store.ask((db) => payeesAfter(db, after, piece))
    if (payees.length === 0) return { firstTime, known }
    const others = payees.filter((payee) => !listed.has(payee))
    known += payees.length - others.length
    const paid = await paidAccounts(desk, others)
    for (const payee of others.filter((each) => !paid.has(each))) firstTime.add(() => payee)
    after = payees.at(-1) ?? after
  }
}

/** The words that follow a count. */
type Words = readonly [one: string, many: string]

function inWords([one, many]: Words, found: Found): string {
  return `${howMany(found.count, one, many)}: ${found.inWords()}`
}

/** All findings as warnings: a payee with another account first, then suspected duplicates. */
export function warningsInWords(notices: Findings): readonly string[] {
  const { firstTime, nameless, held, shortages, otherAccounts, oddities } = notices
  const over = `the plan is above the limits: ${shortagesInWords(shortages)}`
  const others = 'a known payee with another account; call the payee before you pay'
  const unnamed = 'no beneficiaryName; some banks reject a payout when they cannot compare the name'
  const isHeld = 'already held and not sent by a run'
  const firstPaid = 'paid for the first time'
  return [
    ...(otherAccounts.count > 0 ? [inWords(rowHas(others), otherAccounts)] : []),
    ...duplicatesInWords(notices),
    ...oddities,
    ...(shortages.length > 0 ? [over] : []),
    ...(held.count > 0 ? [inWords([`row is ${isHeld}`, `rows are ${isHeld}`], held)] : []),
    ...(nameless.count > 0 ? [inWords(rowHas(unnamed), nameless)] : []),
    ...(firstTime.count > 0
      ? [inWords([`beneficiary is ${firstPaid}`, `beneficiaries are ${firstPaid}`], firstTime)]
      : []),
  ]
}

function rowHas(what: string): Words {
  return [`row has ${what}`, `rows have ${what}`]
}

/** Rows that may be paid twice. */
function duplicatesInWords({ sameName, replayed, elsewhere, alike, alikeRecently }: Findings): readonly string[] {
  const inCommon = 'payee and sum in common'
  const recent = 'like a payout of the last 24 hours'
  const left = 'rows that are not paid yet and not in this file'
  const about: readonly (readonly [one: string, many: string, Found])[] = [
    [
      'row belongs to a payment that was sent to another address, and is not sent',
      'rows belong to payments that were sent to another address, and are not sent',
      elsewhere,
    ],
    ['row was sent before and is not sent again', 'rows were sent before and are not sent again', replayed],
    [`group of rows without a key has ${inCommon}`, `groups of rows without a key have ${inCommon}`, alike],
    [`row looks ${recent}`, `rows look ${recent}`, alikeRecently],
    [`plan of the same name has ${left}`, `plans of the same name have ${left}`, sameName],
  ]
  return about.filter(([, , { count }]) => count > 0).map(([one, many, list]) => inWords([one, many], list))
}

/** Throws usage (2) for keys of other payments; on live profiles duplicate (7) for suspected duplicates that are not allowed. */
export function assertMeant({ profile }: Pick<Desk, 'profile'>, notices: Findings, allowDuplicates: boolean): void {
  const { takenKeys, moneyMoved } = notices
  if (takenKeys.count > 0) {
    throw new Failure('usage', inWords(rowHas('the key of another payment'), takenKeys), {
      moneyMoved,
      hints: [
        hint`Compare each with \`${paste('journal show', blank('<journalId>'))}\`. Do not pay it under another key if it was or may have been paid: remove the row from the file.`,
        hint`Give a row a key of its own only if it is meant as another payment.`,
      ],
    })
  }
  if (allowDuplicates || profile.environment !== 'live') return
  const doubtful = duplicatesInWords(notices)
  if (doubtful.length === 0) return
  throw new Failure('duplicate', doubtful.join('. '), {
    moneyMoved,
    hints: [hint`Check them; if they are meant, plan with \`--allow-duplicates\`.`],
  })
}
