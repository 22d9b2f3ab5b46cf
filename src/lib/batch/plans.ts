/** All plans of a machine, or of a team, and the store of each. */

import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { ThisProcess } from '../journal/lease.ts'
import type { Store } from '../store/engine/store.ts'
import {
  type PlanReader,
  type PlanRowRow,
  type PlanTables,
  type PlanWriter,
  planRow,
  rowsAfter,
  rowsWithIds,
} from '../store/plans.ts'
import { type Plan, planOf } from './plan.ts'

/** How far the workers of a team are with a plan that was handed to them. */
export interface WithWorkers {
  /** ISO times by the clock of the store. */
  readonly handedAt: string
  readonly endedAt: string | null
  /** Why no worker takes more rows of it; null while they do. */
  readonly stopped: string | null
  /** The kind of the failure that stopped it; null without a failure. */
  readonly stoppedKind: string | null
  /** Rows a second of the whole fleet; null without a limit. */
  readonly rate: number | null
  /** Workers of its client that are running, and those of them that have rows of it now. */
  readonly present: number
  readonly working: number
}

export interface PlanWithRows {
  readonly plan: Plan
  readonly rows: readonly PlanRowRow[]
}

export interface Plans {
  /** Where they are kept, for messages: "on this machine". */
  readonly where: string
  /** The clock of the store, shared by all processes. */
  readonly clock: Clock
  /** The ids of all plans, incomplete plans too. */
  ids(): Promise<readonly string[]>
  /** Complete plans, the newest first; a plan that cannot be read is left out. */
  list(): Promise<readonly Plan[]>
  /** True if a plan has this id, complete or not. */
  has(planId: string): Promise<boolean>
  /** The store of a plan; a new one is empty. */
  open(planId: string): Promise<PlanStore>
  /** Every plan that has rows with some of these ids, a thousand at most, and those rows; the newest first. */
  withRows(uniqueIds: readonly string[]): Promise<readonly PlanWithRows[]>
  /** True while the workers of a team may pay rows of it. */
  isHandedOver(planId: string): Promise<boolean>
  /** Null if the plan was never handed over. A worker whose process is gone from this machine does not count. */
  withWorkers(planId: string, leaseHolder: Pick<ThisProcess, 'standing'>): Promise<WithWorkers | null>
  /** Takes a plan back from the workers. Gives the number of workers that still have rows of it in flight. */
  takeBack(planId: string, why: string): Promise<number>
  close(): Promise<void>
}

export interface OpenedPlan {
  readonly store: PlanStore
  readonly plan: Plan
}

const idForm = /^b-[0-9a-f]{12}$/

export function isPlanId(text: string): boolean {
  return idForm.test(text)
}

/** Opens a plan by its id. Throws usage (2) for a text that is no plan id, not-found (6) for an unknown plan. */
export async function openPlan(plans: Plans, typed: string): Promise<OpenedPlan> {
  const planId = typed.trim().toLowerCase()
  const hints = [hint`\`${paste('batch list')}\` lists the plans ${plans.where}.`]
  if (!isPlanId(planId)) {
    throw new Failure('usage', `${typed} is not a plan id like b-3f9a1c2b7d10`, { hints })
  }
  const none = new Failure('not-found', `there is no plan ${planId} ${plans.where}`, { moneyMoved: 'no', hints })
  if (!(await plans.has(planId))) throw none
  const store = await plans.open(planId)
  const plan = await planIn(store)
  if (plan) return { store, plan }
  await store.close()
  throw none
}

/** The newest first. */
export function newestFirst<Planned>(found: readonly Planned[], planOf: (each: Planned) => Plan): readonly Planned[] {
  return found.toSorted((a, b) => (planOf(a).plannedAt < planOf(b).plannedAt ? 1 : -1))
}

/** One plan in its store: every query is about its rows alone. */
export interface PlanStore {
  /** The clock of the store, shared by all processes. */
  readonly clock: Clock
  /** A single statement. */
  ask<Result>(statement: (plan: PlanReader) => Promise<Result>): Promise<Result>
  /** One transaction, alone from its first statement on. */
  write<Result>(work: (plan: PlanWriter) => Promise<Result>): Promise<Result>
  /** The rows after a number, in the order of the file: as many as one query gives. The first ones are read once. */
  rowsAfter(number: number): Promise<readonly PlanRowRow[]>
  close(): Promise<void>
}

/** Rows, or ids, of one query. */
const piece = 500

/** `close` frees what this plan alone uses. With `numbers`, the plan seems to have these rows only. */
export function planStore(
  store: Pick<Store<PlanTables>, 'ask' | 'write'>,
  planId: string,
  { clock, close }: Pick<PlanStore, 'clock' | 'close'>,
  numbers?: PlanReader['numbers'],
): PlanStore {
  const part = numbers === undefined ? {} : { numbers }
  const ask: PlanStore['ask'] = (statement) => store.ask((db) => statement({ db, planId, ...part }))
  // A plan is read when it is verified, counted and sent: one that fits in a query, or a worker's share of one, is read once.
  let first: readonly PlanRowRow[] | null = null
  return {
    clock,
    ask,
    async write(work) {
      try {
        return await store.write((db) => work({ db, planId, ...part }))
      } finally {
        first = null
      }
    },
    async rowsAfter(number) {
      if (number === 0 && first) return first
      const rows = await ask((db) => rowsAfter(db, number, piece))
      if (number === 0) first = rows
      return rows
    },
    close,
  }
}

/** All rows of a plan in the order of the file, piece by piece. */
export async function* storedRows(store: Pick<PlanStore, 'rowsAfter'>): AsyncGenerator<readonly PlanRowRow[]> {
  for (let after = 0; ; ) {
    const rows = await store.rowsAfter(after)
    if (rows.length > 0) yield rows
    if (rows.length < piece) return
    after = rows.at(-1)?.number ?? after
  }
}

/** The ids among these that rows of a plan have. */
export async function idsIn(store: Pick<PlanStore, 'ask'>, uniqueIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const ids of pieces(uniqueIds)) {
    for (const { unique_id } of await store.ask((db) => rowsWithIds(db, ids))) found.add(unique_id)
  }
  return found
}

/** The same items, as many at once as one query takes. */
export function* pieces<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += piece) yield items.slice(at, at + piece)
}

/** The plan, if it is complete: null while rows are still to be written. */
export async function planIn(store: PlanStore): Promise<Plan | null> {
  const row = await store.ask(planRow)
  return row?.complete ? planOf(row) : null
}
