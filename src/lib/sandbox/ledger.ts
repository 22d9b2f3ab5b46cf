/** What really happened: the truth that tests compare with what a client believes. */
import type { JsonNumber } from '../contract/decimal.ts'
import type { ExecutedPayout } from '../store/sandbox.ts'
import { localTime, requestOf } from './shape.ts'
import { money } from './world.ts'

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

export interface Ledger {
  readonly payouts: readonly LedgerPayout[]
  readonly orders: readonly never[]
  readonly walletOrders: readonly never[]
  readonly cards: readonly never[]
}

function entry(payout: ExecutedPayout): LedgerPayout {
  return {
    uniqueId: requestOf(payout).uniqueId,
    transactionId: payout.transaction_id,
    amount: money(payout.amount),
    currency: payout.currency,
    status: payout.status,
    executions: payout.executions,
    clientId: payout.client_id,
    createdAt: localTime(payout, 6),
  }
}

export function describeLedger(payouts: readonly ExecutedPayout[]): Ledger {
  return { payouts: payouts.map(entry), orders: [], walletOrders: [], cards: [] }
}
