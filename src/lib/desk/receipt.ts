/** The receipt of a payout: what `--json` prints, and what a repeat of the same command gets again. */
import { fromMinorUnits, JsonNumber } from '../contract/decimal.ts'
import { payoutEnd } from '../contract/payout-status.ts'
import type { Intent } from '../journal/intent.ts'

export interface Receipt {
  /** 'refused' only by the operator's word (`resume --settle refused`). */
  readonly outcome: 'accepted' | 'exists' | 'refused'
  readonly transactionId: string | null
  readonly status: string | null
  readonly statusDescription: string | null
  readonly uniqueId: string
  readonly createdAt: string | null
  readonly amount: JsonNumber
  readonly currency: string
  readonly payee: string
  readonly journalId: string
  readonly profile: string
  readonly environment: string
  /** The service has the payout, but no answer of it ever told its transactionId. */
  readonly idUnknown: boolean
  /** This very payment was settled by an earlier run. */
  readonly replayed: boolean
  readonly warnings: readonly string[]
}

/** The receipt of an intent that the service has. */
export function receiptOf(intent: Intent, replayed: boolean, warnings: readonly string[]): Receipt {
  const idUnknown = intent.state === 'exists' && intent.transactionId === null
  return {
    outcome: intent.state === 'exists' || intent.state === 'refused' ? intent.state : 'accepted',
    transactionId: intent.transactionId,
    status: intent.status,
    statusDescription: intent.statusDescription,
    uniqueId: intent.uniqueId,
    createdAt: intent.createdAt,
    amount: new JsonNumber(fromMinorUnits(BigInt(intent.amountMinor))),
    currency: intent.currency,
    payee: intent.payee,
    journalId: intent.journalId,
    profile: intent.profile,
    environment: intent.environment,
    idUnknown,
    replayed,
    warnings: [...warnings, ...(idUnknown ? [unknownId(intent)] : []), ...statusWarning(intent)],
  }
}

function unknownId(intent: Intent): string {
  return `the service has this payout, but its transactionId is not known; when a statement or the service's staff names it: paydesk payout reconcile ${intent.uniqueId} --transaction-id <n>`
}

function statusWarning({ status }: Intent): string[] {
  if (status === null) return []
  if (payoutEnd(status) === 'not-paid') return [`the payout was accepted, but its status is already ${status}`]
  return status === 'INITIAL_INSUFFICIENT_BALANCE'
    ? ['the payout was accepted, but waits for the balance to cover it: top it up, then `paydesk payout wait`']
    : []
}
