/**
 * Payments that a process still holds though it is done with them: the store was away when they were to be given free. To one that ends it
 * makes no difference; one that goes on for months would keep them from everybody on its machine.
 */
import type { Clock } from '../../edge.ts'
import type { Store } from '../../store/engine/store.ts'
import { wholeRow } from '../../store/journal/journal.ts'
import type { JournalTables } from '../../store/journal/schema.ts'
import { changed } from '../doubt/noted.ts'
import { certainlyPassed, momentOf } from '../moment.ts'
import { noHold } from '../row.ts'
import { type State, unmoved } from '../verdict.ts'
import type { Holding } from './holder.ts'

interface Held {
  readonly store: Store<JournalTables>
  /** The clock of the store. */
  readonly clock: Clock
  readonly holding: Pick<Holding, 'self'>
}

/** Executed ones are given free by the answer itself. */
const open = ['unknown', 'unsent', 'turned-away', 'refused'] as const satisfies readonly State[]

/**
 * For a process that is at work on nothing: gives free what it holds by leases that are over. One that is unknown is anybody's from
 * then on, as if its process were gone. Gives how many it still holds, by leases that stand.
 */
export function leaveHeld({ store, clock, holding: { self } }: Held): Promise<number> {
  return store.write(async (db) => {
    const present = momentOf(clock)
    const now = new Date(present.now).toISOString()
    const rows = await db
      .selectFrom('intents')
      .selectAll()
      .where('state', 'in', open)
      .where('holder', '=', self)
      .execute()
    const over = rows.filter(
      ({ held_until, held_until_steady: steady }) =>
        held_until === null || certainlyPassed({ iso: held_until, steady }, present) >= 0,
    )
    for (const row of over) {
      // This name cannot be looked up, so its lease decides, which is over.
      const left = unmoved.has(row.state as State) ? noHold : { holder: `${self}/left` }
      await changed(db, wholeRow(row), left, now)
    }
    return rows.length - over.length
  })
}
