/**
 * The payment of a thing whose cancellation or deletion is asked for, while its outcome is unknown in this journal: that the thing
 * cannot be cancelled would read as "nothing moved".
 */
import { writeNamed } from '../../contract/operations.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import type { Desk } from '../desk.ts'
import { openAmong, writesTo } from '../recover/at-stake.ts'

/** It in words; null where there is none, and for any other write. */
export async function openBesides(desk: Desk, intent: Intent): Promise<string | null> {
  const { about, evidence } = writeNamed(intent.operation) ?? {}
  if (!about || evidence?.refusals?.means !== 'done') return null
  const writes = await writesTo(desk, about, idAtService(intent))
  const open = openAmong(writes.filter((write) => write.journalId !== intent.journalId && write.amountMinor !== null))
  return open && `whether its ${open.operation} (${open.journalId}) was executed is unknown`
}
