/** Facts of a plan that a person should know before agreeing to it, from the journal and from the plan itself. */
import { createPayout } from '../../contract/payout/payout.ts'
import { isSameService } from '../../contract/service.ts'
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import { paidAccounts } from '../../desk/payout/payee.ts'
import type { MoneyMoved } from '../../failure.ts'
import { likenessOf, mayHaveRun } from '../../journal/intent.ts'
import { KnownPayees } from '../../journal/payees.ts'
import type { Shortage } from '../../spending/shortage.ts'
import { type PlanRowRow, payeesAfter, rowsAlike } from '../../store/plans.ts'
import type { PlanStore } from '../plans/store.ts'
import { RowDoubts } from '../read/doubts.ts'
import { Count } from '../rows/count.ts'
import { NewRows, rowsOverLimit } from '../rows/fits.ts'
import { paymentInWords } from '../rows/reason.ts'
import { executionDateOf, type PlannedRow, requestOfRow, rowsOfPlan } from '../rows/state.ts'
import { leftUnderName, type Made } from './other-plans.ts'

/** Milliseconds in which a payout of the same sum to the same payee is looked at twice. */
const recently = 24 * 60 * 60 * 1000

/** Things that are told one by one; of more only the number. */
const mostTold = 10

/** A list that may be long: its length, and the first of it in words. */
export interface Noted {
  readonly count: number
  readonly first: readonly string[]
}

export interface Notices {
  /** Rows that were sent before, and that the plan tells and does not send again. */
  readonly replayed: Noted
  /** Rows whose key stands for another payment. */
  readonly takenKeys: Noted
  /** Rows whose key or id this profile sent to another address: no run sends them. */
  readonly elsewhere: Noted
  /** The movement of money under the ids and keys of these rows so far. */
  readonly moneyMoved: MoneyMoved
  /** Rows without a key that have payee and sum in common. */
  readonly alike: Noted
  /** Rows that look like a payout of the last 24 hours. */
  readonly alikeRecently: Noted
  /** Beneficiaries that are not listed as known, and that nothing was paid to so far from this journal. */
  readonly firstTime: Noted
  /** Rows to an account without a name. */
  readonly nameless: Noted
  /** Plans of the same name with rows that are still to be paid and that are not in this one. */
  readonly sameName: Noted
  /** Rows that are held already: a run does not send them. */
  readonly held: Noted
  /** The limits that its new rows do not fit. */
  readonly shortages: readonly Shortage[]
  /** The number of beneficiaries that are listed as known. */
  readonly known: number
  /** Rows whose name or account is known with another account or name. */
  readonly otherAccounts: Noted
  /** Texts that look wrongly decoded, and dates of execution long past, in words. */
  readonly oddities: readonly string[]
}

class List implements Noted {
  count = 0
  readonly first: string[] = []

  add(words: () => string): void {
    this.count += 1
    if (this.first.length < mostTold) this.first.push(words())
  }
}

export interface Noting extends Made {
  readonly desk: Desk
  /** True if rows without a key are named by the plan. */
  readonly hasKeyless: boolean
}

export async function noticesOf(noting: Noting): Promise<Notices> {
  const { desk, holding, store } = noting
  const [replayed, takenKeys, elsewhere, alikeRecently] = [new List(), new List(), new List(), new List()]
  const [held, otherAccounts, nameless, sameName] = [new List(), new List(), new List(), new List()]
  const newRows = new NewRows()
  const doubts = new RowDoubts(desk.journal.moment.now)
  const known = new KnownPayees(await desk.journal.payees.list(desk.profile.name))
  const count = new Count(desk.journal)
  for await (const rows of rowsOfPlan(desk, holding, store)) {
    for (const row of rows) {
      newRows.add(row)
      count.add(row)
      doubts.add(row.planned.number, requestOfRow(row.planned), executionDateOf(row.planned))
      if (isNameless(row)) nameless.add(() => `row ${row.planned.number}`)
      const { planned, intent, state, isTakenKey } = row
      const at = `row ${planned.number}`
      if (isTakenKey && intent) {
        const list = isSameService(intent, scopeOf(desk.profile)) ? takenKeys : elsewhere
        list.add(() => `${at}: ${planned.business_key ?? planned.unique_id} is ${paymentInWords(intent)}`)
      } else if (state === 'held') held.add(() => `${at}: ${intent?.journalId}`)
      else if (intent && mayHaveRun(intent)) replayed.add(() => `${at}: ${intent.journalId} (${state})`)
    }
    await recentlyPaid(desk, rows, alikeRecently)
    if (!known.isEmpty) for (const { planned } of rows) alarmOf(planned, known, otherAccounts)
  }
  const shortages = await rowsOverLimit(desk, newRows)
  for (const words of noting.hasKeyless ? await leftUnderName(noting) : []) sameName.add(() => words)
  const repeats = { sameName, replayed, takenKeys, elsewhere, alikeRecently, alike: await alikeIn(store) }
  const { moneyMoved } = count
  return {
    ...repeats,
    oddities: doubts.inWords,
    nameless,
    held,
    shortages,
    otherAccounts,
    moneyMoved,
    ...(await beneficiaries(desk, store, known)),
  }
}

function isNameless({ planned }: PlannedRow): boolean {
  const { toIban, beneficiaryName } = requestOfRow(planned)
  return toIban !== undefined && beneficiaryName === undefined
}

function alarmOf(planned: PlanRowRow, known: KnownPayees, list: List): void {
  const { payeeName = null } = createPayout.moves(requestOfRow(planned))
  const alarm = known.alarm({ name: payeeName, account: planned.payee })
  if (alarm !== null) list.add(() => `row ${planned.number}: ${alarm.inWords}`)
}

async function recentlyPaid(desk: Desk, rows: readonly PlannedRow[], list: List): Promise<void> {
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

async function alikeIn(store: PlanStore): Promise<Noted> {
  const found = await store.ask((db) => rowsAlike(db, 1000))
  const list = new List()
  for (const numbers of found) list.add(() => `rows ${numbers.slice(0, 5).join(', ')}${numbers.length > 5 ? ' …' : ''}`)
  return list
}

/** Payees that one query asks about. */
const piece = 500

async function beneficiaries(desk: Desk, store: PlanStore, listed: KnownPayees) {
  const firstTime = new List()
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
