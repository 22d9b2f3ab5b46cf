/** Payouts as the ledger tells of them. */
import type { JsonNumber } from '../../contract/core/decimal.ts'
import { listPayouts } from '../../store/sandbox/sandbox.ts'
import type { SandboxReader } from '../../store/sandbox/schema/schema.ts'
import { localTime } from '../clock/clock.ts'
import { payoutRequest } from '../ledger/accepted.ts'
import { money } from '../world/money.ts'

export interface LedgerPayout {
  readonly uniqueId: string
  /** Text: these numbers exceed 2^53. */
  readonly transactionId: string
  readonly amount: JsonNumber
  readonly currency: string
  readonly status: string
  /** How often money left for it; 0 while the balance does not cover it, never more than 1. */
  readonly executions: number
  readonly clientId: string
  readonly createdAt: string
}

export async function payoutLedger(db: SandboxReader): Promise<LedgerPayout[]> {
  return (await listPayouts(db)).map((payout) => ({
    uniqueId: payoutRequest(payout).uniqueId,
    transactionId: payout.transaction_id,
    amount: money(payout.amount),
    currency: payout.currency,
    status: payout.status,
    executions: payout.executions,
    clientId: payout.client_id,
    createdAt: localTime(payout, 6),
  }))
}
