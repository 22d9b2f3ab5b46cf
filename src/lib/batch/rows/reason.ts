/** The reason for the state of a row, in words that a support person understands. */
import { createPayout } from '../../contract/payout/payout.ts'
import { refusalInWords } from '../../desk/receipt/refusal.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RowState } from './row-states.ts'
import type { PlannedRow } from './state.ts'

export interface Reason {
  /** The service's code; null where it gave none. */
  readonly code: number | null
  /** Null for a row whose state says it all. */
  readonly words: string | null
}

const speaking: ReadonlySet<RowState> = new Set(['refused', 'turned-away', 'unsent', 'unknown'])

export async function rowReason(
  journal: Pick<Journal, 'attempts'>,
  { intent, state, isTakenKey }: PlannedRow,
): Promise<Reason> {
  if (!intent || !speaking.has(state)) return { code: null, words: null }
  if (isTakenKey) return { code: null, words: `its key was used for another payment: ${intent.journalId}` }
  const last = (await journal.attempts(intent)).at(-1)
  if (last?.statusCode === null || last?.statusCode === undefined) {
    return { code: null, words: last?.why ?? intent.because }
  }
  return { code: last.statusCode, words: refusalInWords(createPayout, last) }
}
