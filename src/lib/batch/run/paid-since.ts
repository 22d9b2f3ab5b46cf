/**
 * Payouts that were opened after a plan was made, by something else, and that look like rows of it: the person who agreed to the
 * plan did not see them. A row with a key is one payment whoever sends it, so only those without one are looked at.
 */
import { createPayout } from '../../contract/payout/payout.ts'
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { Holding } from '../../journal/hold/holder.ts'
import type { Intent } from '../../journal/intent.ts'
import { keylessRowsTo, rowsWithIds } from '../../store/batch/plan.ts'
import { mayHaveRun, sumTo } from '../plan/alike.ts'
import type { Plan } from '../plan/plan.ts'
import type { PlanStore } from '../plans/store.ts'
import { newStates } from '../rows/fits.ts'
import { ownerOf } from '../rows/owner.ts'
import { type PlannedRow, rowsOfPlan, withIntents } from '../rows/state.ts'

interface OwnPlan {
  readonly desk: Pick<Desk, 'journal' | 'profile'>
  readonly holding: Holding
  readonly store: PlanStore
  readonly plan: Plan
  /** As of `SendingParts`: then it is a small part of a plan in a team's store, which finds payees by an index. */
  readonly isShared?: boolean
}

/** The failure (7) for the first rows that were paid otherwise since; null where there are none, and off live profiles. */
export async function paidSince(own: OwnPlan): Promise<Failure | null> {
  if (own.desk.profile.environment !== 'live') return null
  for await (const sent of own.isShared ? sentToItsPayees(own) : sentSince(own)) {
    const alike = sent.filter(mayHaveRun)
    const others = alike.length === 0 ? [] : await withoutOwn(own.store, alike)
    const found = others.length === 0 ? [] : await rowsLike(own, others)
    if (found.length > 0) return paidOtherwise(own.plan, found)
  }
  return null
}

/** Payouts that one query gives, and rows that one asks about. */
const piece = 500

/** Every payout since, the newest first: at the first run there are few of them, and later most are its own. */
async function* sentSince({ desk, plan }: OwnPlan): AsyncGenerator<readonly Intent[]> {
  const { journal, profile } = desk
  const wanted = { scope: scopeOf(profile), since: plan.plannedAt, operations: [createPayout], limit: piece }
  for (let last: Intent | undefined; ; ) {
    const after = last ? { after: { opened_at: last.openedAt, id: last.journalId } } : {}
    const sent = await journal.list({ ...wanted, ...after })
    yield sent
    if (sent.length < piece) return
    last = sent.at(-1)
  }
}

async function* sentToItsPayees({ desk, holding, store, plan }: OwnPlan): AsyncGenerator<readonly Intent[]> {
  const { journal, profile } = desk
  for await (const rows of rowsOfPlan(ownerOf(plan, journal), holding, store)) {
    const payees = [...new Set(rows.map(({ planned }) => planned.payee))]
    yield await journal.list({ scope: scopeOf(profile), payees, since: plan.plannedAt, operations: [createPayout] })
  }
}

type Alike = readonly [row: PlannedRow, other: Intent]

/** Rows that are still to be paid, each with a payout that looks like it. */
async function rowsLike({ desk, holding, store, plan }: OwnPlan, others: readonly Intent[]): Promise<readonly Alike[]> {
  const bySum = new Map(others.map((intent) => [sumTo(intent.payee, intent.amountMinor, intent.currency), intent]))
  const payees = [...new Set(others.map(({ payee }) => payee))]
  const rows = await store.ask((db) => keylessRowsTo(db, payees))
  const alike = rows.filter(({ payee, amount_minor, currency }) => bySum.has(sumTo(payee, amount_minor, currency)))
  const found: Alike[] = []
  for (let at = 0; at < alike.length; at += piece) {
    for (const row of await withIntents(ownerOf(plan, desk.journal), holding, alike.slice(at, at + piece))) {
      const { payee, amount_minor, currency } = row.planned
      const other = bySum.get(sumTo(payee, amount_minor, currency))
      if (other && !row.isTakenKey && newStates.some((state) => state === row.state)) found.push([row, other])
    }
  }
  return found
}

/** Payouts that are no row of the plan: two rows alike were looked at when it was made. */
async function withoutOwn(store: PlanStore, alike: readonly Intent[]): Promise<readonly Intent[]> {
  const own = new Set<string>()
  for (let at = 0; at < alike.length; at += piece) {
    const ids = alike.slice(at, at + piece).map(({ uniqueId }) => uniqueId)
    for (const { unique_id } of await store.ask((db) => rowsWithIds(db, ids))) own.add(unique_id)
  }
  return alike.filter(({ uniqueId }) => !own.has(uniqueId))
}

/** Rows that are told one by one. */
const mostTold = 5

function paidOtherwise({ planId, file }: Plan, found: readonly Alike[]): Failure {
  const told = found
    .slice(0, mostTold)
    .map(([{ planned }, { journalId, openedAt }]) => `row ${planned.number}: ${journalId} of ${openedAt}`)
  const more = found.length > told.length ? [`and ${found.length - told.length} more`] : []
  return new Failure(
    'duplicate',
    `since ${planId} was planned, something else has sent payouts that look like rows of it: ${[...told, ...more].join('; ')}`,
    {
      hints: [
        hint`Look at them. If the rows are meant, too, end the plan with \`${paste('batch discard', planId)}\` and plan ${file} again with \`--allow-duplicates\`: it keeps its id and its rows theirs.`,
      ],
    },
  )
}
