/**
 * Drafts that are opened at the same time, in the transaction that decides on what it reads. Those that nothing in the journal
 * can speak against are found by their ids and keys all at once; each of the others is considered by itself.
 */

import { rulingOnAll } from '../../approvals/ask-rules.ts'
import { type Ruling, unruled } from '../../approvals/ruling.ts'
import { type Demand, shortagesOf } from '../../spending/shortage.ts'
import { namesKnown } from '../../store/journal/many.ts'
import type { JournalWriter } from '../../store/journal/schema.ts'
import type { Present } from '../hold/in-flight.ts'
import type { Draft } from '../intent.ts'
import type { HeldBack } from '../limits/hold.ts'
import { type Making, opened, openedAnew } from '../limits/opened.ts'
import { spentNow } from '../limits/spent.ts'
import {
  type AfterPlanning,
  type Begun,
  type Clearance,
  cameAfterPlanning,
  consider,
  type Guard,
  isCleared,
  type Opening,
  type Unresolved,
} from '../opening.ts'
import { decisionOf, type Ending } from './gathering.ts'

/** A draft that is to be sent. */
export interface ToBegin {
  readonly draft: Draft
  readonly guard: Guard
  /** Milliseconds. */
  readonly heldFor: number
  readonly clearance: Clearance
}

export type Beginning = Begun | Unresolved | HeldBack | Extract<Opening, { kind: 'done' }>

/** Opens intents and attempts. Each ends with a Failure as `consider` throws it. */
export async function beginTogether(
  db: JournalWriter,
  wishes: readonly ToBegin[],
  present: Present & Making,
): Promise<readonly Ending<Beginning>[]> {
  const { plain, ruling } = wishes.length > 1 ? await plainAmong(db, wishes, present) : none
  const begun = (await openedAnew(db, [...plain], ruling, present)).values()
  const ends: Ending<Beginning>[] = []
  for (const wish of wishes) {
    const { value: attempt } = plain.has(wish) ? begun.next() : { value: undefined }
    if (attempt) ends.push({ result: { suspected: null, unresolved: null, ...attempt } })
    // By now all the others are counted, and in its way where they have its name.
    else ends.push(await beginAlone(db, wish, present))
  }
  return ends
}

async function beginAlone(
  db: JournalWriter,
  { draft, guard, heldFor, clearance }: ToBegin,
  present: Present & Making,
): Promise<Ending<Beginning>> {
  const decided = await decisionOf(() => consider(db, draft, guard, present))
  if ('failure' in decided) return decided
  const { opening, ...considered } = decided.result
  if (opening.kind === 'done') return { result: opening }
  if (opening.unresolved && !isCleared(opening.unresolved, considered.past.length, clearance, present)) {
    return { result: { kind: 'unresolved', intent: opening.unresolved } }
  }
  const begun = await opened(db, draft, considered, heldFor, present)
  return { result: begun.kind === 'held' ? begun : { ...opening, ...begun } }
}

interface Plain {
  readonly plain: ReadonlySet<ToBegin>
  readonly ruling: Ruling
}

const none: Plain = { plain: new Set(), ruling: unruled }

/**
 * Those whose ids and keys nothing in the journal bears, and no other one of them; within the limits all together, and approved
 * all together where a rule asks for it.
 */
async function plainAmong(db: JournalWriter, wishes: readonly ToBegin[], present: Present & Making): Promise<Plain> {
  const { now } = present
  const [first] = wishes
  const named = wishes.filter((wish) => first && isLike(first, wish))
  const names = named.map(({ draft: { uniqueId, businessKey } }) => ({ uniqueId, businessKey }))
  const ids = names.map(({ uniqueId }) => uniqueId)
  const keys = names.flatMap(({ businessKey }) => (businessKey === null ? [] : [businessKey]))
  if (!first || ids.length === 0) return none
  const { draft, guard } = first
  const known = await namesKnown(db, { ...draft, orOfProfile: draft.profile }, ids, keys)
  const met = new Set(known)
  const free = named.filter(({ draft: { uniqueId, businessKey } }) => {
    const own = businessKey === null ? [uniqueId] : [uniqueId, businessKey]
    const isFree = own.every((name) => !met.has(name))
    for (const name of own) met.add(name)
    return isFree
  })
  const clear = guard.planned ? await withoutAlike(db, free, guard.planned, present) : free
  if (clear.length === 0) return none
  const spent = await spentNow(db, draft, guard.limits, now)
  if (shortagesOf(guard.limits, demandOf(clear), spent, now).length > 0) return none
  const drafts = clear.map(({ draft: each }) => each)
  const ruling = await rulingOnAll(db, drafts, guard, present)
  return ruling.because === null ? { plain: new Set(clear), ruling } : none
}

/** Those that nothing looks like which came after their plan was made. */
async function withoutAlike(
  db: JournalWriter,
  wishes: readonly ToBegin[],
  planned: AfterPlanning,
  present: Present,
): Promise<readonly ToBegin[]> {
  const drafts = wishes.map(({ draft }) => draft)
  const came = await cameAfterPlanning(db, drafts, planned, present)
  return wishes.filter(({ draft }) => came(draft) === null)
}

const scope = ['operation', 'profile', 'service', 'serviceId', 'environment', 'clientId'] as const

/** True if two drafts are asked for by the same statements, and no guard compares the second with other payments. */
function isLike(first: ToBegin, { draft, guard }: ToBegin): boolean {
  const isGuarded = guard.duplicates !== 'off' || guard.unknownDuplicates !== undefined
  const isOfOne = scope.every((member) => draft[member] === first.draft[member])
  return isOfOne && !isGuarded && isSameGuard(first.guard, guard) && draft.amountMinor !== null
}

function isSameGuard(one: Guard, other: Guard): boolean {
  const isOfPlan = one.plan === other.plan && one.planned === other.planned
  return isOfPlan && one.limits === other.limits && one.sender === other.sender
}

function demandOf(wishes: readonly ToBegin[]): Demand {
  const [sums, largest] = [new Map<string, bigint>(), new Map<string, bigint>()]
  for (const { draft } of wishes) {
    const [currency, units] = [draft.currency ?? '', BigInt(draft.amountMinor ?? 0)]
    sums.set(currency, (sums.get(currency) ?? 0n) + units)
    if (units > (largest.get(currency) ?? -1n)) largest.set(currency, units)
  }
  return { payouts: BigInt(wishes.length), sums, largest }
}
