/** The spool of a machine beside the store of its team. */
import type { Clock } from '../../edge.ts'
import type { Store } from '../../store/engine/store.ts'
import type { JournalTables } from '../../store/journal/schema.ts'
import type { Holding } from '../hold/holder.ts'
import { momentOf } from '../moment.ts'
import { Spool } from './spool.ts'
import { storeKept } from './store-kept.ts'

interface Beside {
  readonly store: Store<JournalTables>
  readonly clock: Clock
  readonly holding: Holding
}

export function spoolBeside({ store, clock, holding }: Beside, directory: string) {
  const spool = new Spool(directory)
  const present = () => ({ moment: momentOf(clock), self: holding.self })
  // A failure of it is told by the next thing that needs the store, and the answers wait on.
  return { spool, storeKept: () => storeKept(spool, store, present).catch(() => 0) }
}
