/** One plan in its store: every query is about its own rows, whatever other plans lie beside it. */
import type { Clock } from '../../edge.ts'
import type { Store } from '../../store/engine/store.ts'
import { type PlanReader, type PlanTables, type PlanWriter, planRow } from '../../store/plans.ts'
import { type Plan, planOf } from '../plan/plan.ts'

export interface PlanStore {
  /** The clock that all who write to it share. */
  readonly clock: Clock
  /** A single statement. */
  ask<Result>(statement: (plan: PlanReader) => Promise<Result>): Promise<Result>
  /** One transaction, alone from its first statement on. */
  write<Result>(work: (plan: PlanWriter) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** `close` ends what belongs to this plan alone; with `numbers` only those of its rows are there. */
export function planStore(
  store: Pick<Store<PlanTables>, 'ask' | 'write'>,
  planId: string,
  { clock, close }: Pick<PlanStore, 'clock' | 'close'>,
  numbers?: PlanReader['numbers'],
): PlanStore {
  const part = numbers === undefined ? {} : { numbers }
  return {
    clock,
    ask: (statement) => store.ask((db) => statement({ db, planId, ...part })),
    write: (work) => store.write((db) => work({ db, planId, ...part })),
    close,
  }
}

/** The plan, if it is whole: one whose last row was never written is none. */
export async function planIn(store: PlanStore): Promise<Plan | null> {
  const row = await store.ask(planRow)
  return row?.complete ? planOf(row) : null
}
