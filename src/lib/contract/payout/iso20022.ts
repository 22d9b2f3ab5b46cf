/**
 * Outcomes of a payout as a pain.002 (ISO 20022, payment status report) calls them. ACSP and ACCC are never said: the service
 * tells neither that a payout is sure to be executed, nor that the payee's account has it.
 */
import { type payoutStatuses, payoutStatusFacts } from './status.ts'

export type IsoStatus = 'ACCP' | 'ACSC' | 'PDNG' | 'RJCT' | 'RCVD'

export interface IsoOutcome {
  readonly status: IsoStatus
  /** Of the external code list; null where there is nothing to explain. */
  readonly reason: string | null
}

const accepted: IsoOutcome = { status: 'ACCP', reason: null }
const ended: IsoOutcome = { status: 'RJCT', reason: 'MS03' }

const outcomes: Readonly<Record<keyof typeof payoutStatuses, IsoOutcome>> = {
  INITIAL: accepted,
  PENDING: accepted,
  SUCCESS: { status: 'ACSC', reason: null },
  REJECTED: ended,
  FAILED: ended,
  DELETED: ended,
  INITIAL_INSUFFICIENT_BALANCE: { status: 'PDNG', reason: 'AM04' },
}

/** The outcome of an accepted payout by its newest status; of a status that nobody knows, that it was accepted. */
export function isoOutcome(status: string | null): IsoOutcome {
  if (status === null || payoutStatusFacts(status) === null) return accepted
  return outcomes[status as keyof typeof outcomes]
}

const reasons: ReadonlyMap<number, string> = new Map([
  [5023, 'AC01'],
  [5038, 'AM04'],
  [5041, 'BE06'],
  [5045, 'AM06'],
  [5046, 'AM02'],
  [5050, 'AM03'],
  [5051, 'AM03'],
])

/** A reason of the external code list for a code of the service; null where only words say it. */
export function isoReason(code: number | null): string | null {
  return code === null ? null : (reasons.get(code) ?? null)
}
