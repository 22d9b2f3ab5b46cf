/** Wallet orders as the ledger tells of them. */
import type { JsonNumber } from '../../contract/core/decimal.ts'
import type { SandboxReader } from '../../store/sandbox/schema/schema.ts'
import { type ExecutedWalletOrder, listWalletOrders } from '../../store/sandbox/wallet.ts'
import { localMoment } from '../clock/clock.ts'
import { money } from '../world/money.ts'
import { standingOf } from './change.ts'

export interface LedgerWalletOrder {
  readonly uniqueId: string
  readonly identifier: string
  /** As the details tell it: REGISTERED, SUCCESS or FAILED. */
  readonly status: string
  /** What was paid, else what was fixed at creation; null where the payer had the choice. */
  readonly amount: JsonNumber | null
  /** How often the payment ran: 0 or 1. */
  readonly executions: number
  readonly receiverId: string | null
  readonly rejectReason: string | null
  readonly createdAt: string
  readonly finalisedAt: string | null
}

export function describeWalletOrder(order: ExecutedWalletOrder, now: number): LedgerWalletOrder {
  const amount = order.paid ?? order.amount
  return {
    uniqueId: order.unique_id,
    identifier: order.identifier,
    status: standingOf(order, now),
    amount: amount === null ? null : money(amount),
    executions: order.executions,
    receiverId: order.receiver_id,
    rejectReason: order.reject_reason,
    createdAt: localMoment(order.created),
    finalisedAt: order.finalised === null ? null : localMoment(order.finalised),
  }
}

export async function walletLedger(db: SandboxReader, now: number): Promise<LedgerWalletOrder[]> {
  return (await listWalletOrders(db)).map((order) => describeWalletOrder(order, now))
}
