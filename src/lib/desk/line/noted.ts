/** The status that a read shows, remembered with the writes that it is about. It was read, whether or not it can be noted. */
import { writeNamed } from '../../contract/operations.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Desk } from '../desk.ts'

type Noting = Pick<Desk, 'journal' | 'tell'>

/** The intent as it is known then; null where the journal could not be written. */
export async function noted({ journal, tell }: Noting, intent: Intent, status: string): Promise<Intent | null> {
  try {
    return await journal.noteStatus(intent, status, null)
  } catch {
    tell.say('the journal could not note the status')
    return null
  }
}

/** The same of every write without a definite answer: what shows it as done outweighs a later read that denies it. */
export async function noteOpen(desk: Noting, writes: readonly Intent[], status: string): Promise<void> {
  const open = writes.filter(({ operation, state }) => state === 'unknown' && writeNamed(operation)?.evidence)
  for (const intent of open) await noted(desk, intent, status)
}
