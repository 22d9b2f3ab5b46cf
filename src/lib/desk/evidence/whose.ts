/**
 * The origin of a write that the service has already. It may be an own attempt whose answer was lost, if a read shows that
 * one was executed, and with no other sum. Without such a read, or after a read of anything else, the two together prove
 * nothing.
 */
import type { Intent } from '../../journal/intent.ts'
import type { Verdict } from '../../journal/verdict.ts'
import type { Desk } from '../desk.ts'
import { evidenceOf } from './evidence.ts'

/** Milliseconds that a known answer waits for a read beside it. */
const timeForRead = 5_000

/** The duplicate, which answered the attempt of that number, as the work of an own one before it, or no definite answer. */
export async function whoseItIs(
  desk: Desk,
  intent: Intent,
  duplicate: Extract<Verdict, { kind: 'duplicate' }>,
  number: number,
): Promise<Verdict> {
  const { words, otherSum } = duplicate
  if (otherSum) return { kind: 'unknown', why: `${words.message}, with another sum: ${otherSum}`, words, otherSum }
  try {
    const evidence = await evidenceOf(desk, intent, desk.clock.now() + timeForRead, number)
    if (evidence.kind === 'executed') return { ...duplicate, sumConfirmed: evidence.sumConfirmed }
    const shown = 'because' in evidence ? evidence.because : 'nothing shows whose it was'
    return { kind: 'unknown', why: `${words.message}, and ${shown}`, words }
  } catch (error) {
    if (!desk.signal.aborted) throw error
    return { kind: 'unknown', why: `${words.message}, and whose it was is not read yet`, words }
  }
}
