/** A write that was refused because its thing is paid: whatever a copy shows that lags behind, it did not end unpaid. */
import { writeNamed } from '../../contract/operations.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Desk } from '../desk.ts'

/** The first of the writes about a thing that an attempt was refused for with that code; null where none was. */
export async function saidPaid({ journal }: Pick<Desk, 'journal'>, writes: readonly Intent[]): Promise<Intent | null> {
  for (const write of writes) {
    const code = writeNamed(write.operation)?.evidence?.refusals?.ofPaid ?? null
    if (code === null) continue
    const attempts = await journal.attempts(write)
    if (attempts.some(({ statusCode }) => statusCode === code)) return write
  }
  return null
}
