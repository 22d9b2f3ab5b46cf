/** What a person should know before agreeing to a plan, found in the journal and in the plan. */

import { accountInWords } from '../contract/core/iban.ts'
import { howMany } from '../contract/core/text.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { isSameService } from '../contract/service.ts'
import type { Desk } from '../desk/desk.ts'
import { scopeOf } from '../desk/new-intent.ts'
import { alarmAfter, paidAccounts } from '../desk/payees.ts'
import { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import { likenessOf, mayHaveRun } from '../journal/intent.ts'
import { KnownPayees } from '../journal/payees.ts'
import { shortagesInWords } from '../spending.ts'
import { type PlanRowRow, payeesAfter, rowsAlike } from '../store/plans.ts'
import { sameName } from '../text.ts'
import { Count } from './count.ts'
import { findLeftUnderName, type PlanParts } from './duplicates.ts'
import { findShortages, NewRows } from './limits.ts'
import type { PlanStore } from './plans.ts'
import { RowWarnings } from './read/check.ts'
import { FirstFew } from './read/first-few.ts'
import { paymentInWords } from './reason.ts'
import type { PlannedRow } from './row-state.ts'
import { paymentOf, readPlanRows, requestOfRow } from './rows.ts'

/** Milliseconds in which another payout of the same sum to the same payee is a suspected duplicate. */
const recently = 24 * 60 * 60 * 1000

const mostTold = 10

export type Findings = Awaited<ReturnType<typeof findWarnings>>

type Found = FirstFew<string>

type Words = readonly [one: string, many: string]

const rowsHave = (what: string): Words => [`row has ${what}`, `rows have ${what}`]
const rowsAre = (what: string): Words => [`row is ${what}`, `rows are ${what}`]

/** What is found, in the words that follow its count. */
const words = {
  takenKeys: rowsHave('the key of another payment'),
  otherAccounts: rowsHave('a name and an account that do not belong together; call the payee before you pay'),
  /** Sent by this profile to another address. */
  elsewhere: [
    'row belongs to a payment that was sent to another address, and is not sent',
    'rows belong to payments that were sent to another address, and are not sent',
  ],
  replayed: ['row was sent before and is not sent again', 'rows were sent before and are not sent again'],
  twoNames: rowsHave('an account that an earlier row has under another name; ask which name is right before you pay'),
  paidOtherwise: rowsHave('an account that was paid before under another name; ask which name is right before you pay'),
  alike: [
    'group of rows without a key has payee and sum in common',
    'groups of rows without a key have payee and sum in common',
  ],
  alikeRecently: ['row looks like a payout of the last 24 hours', 'rows look like a payout of the last 24 hours'],
  sameName: [
    'plan of the same name has rows that are not paid yet and not in this file',
    'plans of the same name have rows that are not paid yet and not in this file',
  ],
  held: rowsAre('already held and not sent by a run'),
  nameless: rowsHave('no beneficiaryName; some banks reject a payout when they cannot compare the name'),
  firstTime: ['beneficiary is paid for the first time', 'beneficiaries are paid for the first time'],
} as const satisfies Readonly<Record<string, Words>>

type Name = keyof typeof words

const duplicates = ['elsewhere', 'replayed', 'alike', 'alikeRecently', 'sameName'] as const

interface FindingParts extends PlanParts {
  readonly desk: Desk
  /** True if the ids of some rows depend on the name of the plan. */
  readonly hasKeyless: boolean
}

export async function findWarnings(parts: FindingParts) {
  const { desk, leaseHolder, store } = parts
  const names = Object.keys(words) as Name[]
  const found = Object.fromEntries(names.map((name) => [name, new FirstFew<string>(mostTold)])) as Record<Name, Found>
  const newRows = new NewRows()
  const doubts = new RowWarnings(desk.journal.moment.now)
  const payees = new KnownPayees(await desk.journal.payees.list(desk.profile.name))
  const count = new Count(desk.journal)
  const firstNames: FirstNames = new Map()
  for await (const rows of readPlanRows(desk, leaseHolder, store)) {
    for (const row of rows) {
      newRows.add(row)
      count.add(row)
      const { planned, intent, state, isTakenKey } = row
      doubts.add(planned.number, requestOfRow(planned), paymentOf(planned)?.block.executionDate ?? null)
      const at = `row ${planned.number}`
      if (isNameless(row)) found.nameless.add(() => at)
      const first = otherNameBefore(planned, firstNames)
      if (first !== null) found.twoNames.add(() => `rows ${first}, ${planned.number}: ${accountInWords(planned.payee)}`)
      if (isTakenKey && intent) {
        const list = isSameService(intent, scopeOf(desk.profile)) ? found.takenKeys : found.elsewhere
        list.add(() => `${at}: ${planned.business_key ?? planned.unique_id} is ${paymentInWords(intent)}`)
      } else if (state === 'held') found.held.add(() => `${at}: ${intent?.journalId}`)
      else if (intent && mayHaveRun(intent)) found.replayed.add(() => `${at}: ${intent.journalId} (${state})`)
    }
    await addRecentlyPaid(desk, rows, found.alikeRecently)
    if (!payees.isEmpty) for (const { planned } of rows) addPayeeAlarm(planned, payees, found.otherAccounts)
  }
  for (const words of parts.hasKeyless ? await findLeftUnderName(parts) : []) found.sameName.add(() => words)
  await addAlike(store, found.alike)
  return {
    ...found,
    shortages: await findShortages(desk, newRows),
    oddities: doubts.inWords,
    /** Whether money has moved for the ids and keys of these rows. */
    moneyMoved: count.moneyMoved,
    /** Rows that a run still sends or resolves. */
    left: count.toGo.rows,
    /** Beneficiaries that are listed as known. */
    known: await addFirstTime({ desk, store, listed: payees, firstNames }, found),
  }
}

function isNameless({ planned }: PlannedRow): boolean {
  const { toIban, beneficiaryName } = requestOfRow(planned)
  return toIban !== undefined && beneficiaryName === undefined
}

/** By account the first row that names its beneficiary. */
type FirstNames = Map<string, { readonly name: string; readonly row: number }>

/** The number of the first row with this account, if that has another name; null otherwise. */
function otherNameBefore(planned: PlanRowRow, firstNames: FirstNames): number | null {
  const { payeeName = null } = createPayout.moves(requestOfRow(planned))
  if (payeeName === null) return null
  const first = firstNames.get(planned.payee)
  if (first) return sameName(first.name, payeeName) ? null : first.row
  firstNames.set(planned.payee, { name: payeeName, row: planned.number })
  return null
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
async function addAlike(store: PlanStore, list: Found): Promise<void> {
  for (const numbers of await store.ask((db) => rowsAlike(db, 1000))) {
    list.add(() => `rows ${numbers.slice(0, 5).join(', ')}${numbers.length > 5 ? ' …' : ''}`)
  }
}

const piece = 500

/** Adds beneficiaries that this journal has not paid before, or under another name. Gives the number of those that are listed as known. */
async function addFirstTime(
  {
    desk,
    store,
    listed,
    firstNames,
  }: Pick<FindingParts, 'desk' | 'store'> & { readonly listed: KnownPayees; readonly firstNames: FirstNames },
  { firstTime, paidOtherwise }: Readonly<Record<'firstTime' | 'paidOtherwise', Found>>,
): Promise<number> {
  for (let [after, known] = ['', 0]; ; ) {
    const payees = await store.ask((db) => payeesAfter(db, after, piece))
    if (payees.length === 0) return known
    const others = payees.filter((payee) => !listed.has(payee))
    known += payees.length - others.length
    const paid = await paidAccounts(desk, others)
    for (const payee of others) {
      const before = paid.get(payee)
      const named = firstNames.get(payee)
      if (!before) firstTime.add(() => payee)
      else if (named && alarmAfter(before, named.name)) {
        paidOtherwise.add(() => `row ${named.row}: ${accountInWords(payee)}, paid as ${before.join(', ')}`)
      }
    }
    after = payees.at(-1) ?? after
  }
}

function listInWords(notices: Findings, ...names: readonly Name[]): readonly string[] {
  return names.flatMap((name) => {
    const [{ count }, [one, many]] = [notices[name], words[name]]
    return count === 0 ? [] : [`${howMany(count, one, many)}: ${notices[name].inWords()}`]
  })
}

/** Rows with a listed payee and another account, or the reverse; empty where there are none. */
export async function otherAccountsInWords({
  desk,
  leaseHolder,
  store,
}: Pick<FindingParts, 'desk' | 'leaseHolder' | 'store'>): Promise<readonly string[]> {
  const known = new KnownPayees(await desk.journal.payees.list(desk.profile.name))
  const list: Found = new FirstFew(mostTold)
  if (known.isEmpty) return []
  for await (const rows of readPlanRows(desk, leaseHolder, store)) {
    for (const { planned } of rows) addPayeeAlarm(planned, known, list)
  }
  const [one, many] = words.otherAccounts
  return list.count > 0 ? [`${howMany(list.count, one, many)}: ${list.inWords()}`] : []
}

/** All findings as warnings: a payee with another account first, then suspected duplicates. */
export function warningsInWords(notices: Findings): readonly string[] {
  const { shortages, oddities } = notices
  return [
    ...listInWords(notices, 'otherAccounts', 'twoNames', 'paidOtherwise', ...duplicates),
    ...oddities,
    ...(shortages.length > 0 ? [`the plan is above the limits: ${shortagesInWords(shortages)}`] : []),
    ...listInWords(notices, 'held', 'nameless', 'firstTime'),
  ]
}

/** Throws usage (2) for keys of other payments; on live profiles duplicate (7) for suspected duplicates that are not allowed. */
export function assertMeant({ profile }: Pick<Desk, 'profile'>, notices: Findings, allowDuplicates: boolean): void {
  const { moneyMoved } = notices
  const [takenKeys] = listInWords(notices, 'takenKeys')
  if (takenKeys !== undefined) {
    throw new Failure('usage', takenKeys, {
      moneyMoved,
      hints: [
        hint`Compare each with \`${paste('journal show', blank('<journalId>'))}\`. Do not pay it under another key if it was or may have been paid: remove the row from the file.`,
        hint`Give a row a key of its own only if it is meant as another payment.`,
      ],
    })
  }
  const doubtful = allowDuplicates || profile.environment !== 'live' ? [] : listInWords(notices, ...duplicates)
  if (doubtful.length === 0) return
  throw new Failure('duplicate', doubtful.join('. '), {
    moneyMoved,
    hints: [hint`Check them; if they are meant, plan with \`--allow-duplicates\`.`],
  })
}
