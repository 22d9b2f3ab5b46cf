/** Why a row is in its state, in words that a support person understands. */

import { refusalInWords } from '../client/refusal.ts'
import { sumOf } from '../contract/core/decimal.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { originOf } from '../contract/service.ts'
import { type Intent, moneyMovedBy } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { PlannedRow, RowState } from './row-state.ts'

export interface Reason {
  /** The code of the service, if it gave one. */
  readonly code: number | null
  /** Null if the state says it all. */
  readonly words: string | null
}

const speaking: ReadonlySet<RowState> = new Set(['refused', 'turned-away', 'unsent', 'unknown'])

export async function rowReason(
  journal: Pick<Journal, 'attempts'>,
  { planned, intent, state, isTakenKey }: PlannedRow,
): Promise<Reason> {
  if (!intent || !speaking.has(state)) return { code: null, words: null }
  if (isTakenKey) return { code: null, words: describeKeyConflict(planned, intent) }
  if (intent.disputed !== null) return { code: null, words: intent.disputed }
  const attempts = await journal.attempts(intent)
  // A conflict stays a conflict, whatever later attempts said.
  const taken = intent.isTaken ? attempts.findLast(({ outcome }) => outcome === 'refused') : undefined
  if (intent.isTaken) return { code: taken?.statusCode ?? null, words: conflictInWords }
  const last = attempts.at(-1)
  if (last?.statusCode === null || last?.statusCode === undefined) {
    return { code: null, words: last?.why ?? intent.because }
  }
  return { code: last.statusCode, words: refusalInWords(createPayout, last) }
}

const moved = { yes: 'money has moved', unknown: 'money may have moved', no: 'no money has moved' } as const

/** The service had the id before it took a request of this journal. */
const conflictInWords =
  'the service already has its id, from another machine or from this request, if it was doubled on its way: money may have moved, and this row is not sent again'

export function reasonForConflict({ planned, intent, isTakenKey }: PlannedRow): string | null {
  if (!isTakenKey || !intent) return conflictInWords
  return describeKeyConflict(planned, intent)
}

/** The other payment that has the key or id, and what that means for the row. */
function describeKeyConflict(
  planned: Pick<PlannedRow['planned'], 'business_key' | 'unique_id'>,
  intent: Intent,
): string {
  const name = planned.business_key === null ? `id ${planned.unique_id}` : `key ${planned.business_key}`
  return `its ${name} belongs to another payment, ${paymentInWords(intent)}: ${moved[moneyMovedBy(intent)]}, and this row is not sent`
}

/** "j-3f9a1c2b7d10 (GEL 12.50 to GE29…, accepted, https://bank.example)". */
export function paymentInWords(intent: Intent): string {
  const { journalId, payee, state, service } = intent
  return `${journalId} (${sumOf(intent) ?? intent.operation} to ${payee}, ${state}, ${originOf(service)})`
}
