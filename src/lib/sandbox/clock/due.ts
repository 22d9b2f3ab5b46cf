/** Moves that time makes by itself, and reads that find them done. The rooms hand in their moves. */

import type { Clock, Random } from '../../edge.ts'
import type { Store } from '../../store/engine/store.ts'
import type { SandboxReader, SandboxTables, SandboxWriter } from '../../store/sandbox/schema.ts'
import { isAnythingDue } from '../../store/sandbox/world.ts'
import type { Tell } from '../events.ts'
import type { Switches } from '../switches.ts'

/** Makes every move of one kind that is due. */
export type Move = (db: SandboxWriter, now: number, around: MoveContext) => Promise<void>

export interface MoveContext {
  readonly random: Random
  readonly tell: Tell
  /** Assumptions about the service, as they are set. */
  readonly switches: Switches
}

/** A context that knows the moves themselves, in the order in which they are made. */
export interface DueMoves extends MoveContext {
  readonly moves: readonly Move[]
}

/** Makes every move that is due. */
export async function executeDue(db: SandboxWriter, now: number, around: DueMoves): Promise<void> {
  if (!(await isAnythingDue(db, now))) return
  for (const move of around.moves) await move(db, now, around)
}

/** Looks things up in a world whose due moves have been made. */
export async function readUpToDate<Result>(
  around: DueMoves & { readonly store: Store<SandboxTables>; readonly clock: Clock },
  look: (db: SandboxReader, now: number) => Promise<Result>,
): Promise<Result> {
  const { store, clock } = around
  const now = clock.now()
  if (await store.ask((db) => isAnythingDue(db, now))) await store.write((db) => executeDue(db, now, around))
  return await store.read((db) => look(db, now))
}
