/** Wallet orders as the ledger tells of them. */
import type { ResultOf } from '../../result.ts'
import type { SandboxReader } from '../../store/sandbox/schema.ts'
import { type ExecutedWalletOrder, listWalletOrders } from '../../store/sandbox/wallet.ts'
import { localMoment } from '../clock/clock.ts'
import { money } from '../world/money.ts'
import { shownStatusOf } from './change.ts'
import type { ledgerWalletOrderResult } from './result.ts'

export type LedgerWalletOrder = ResultOf<typeof ledgerWalletOrderResult>

export function describeWalletOrder(order: ExecutedWalletOrder, now: number): LedgerWalletOrder {
  const amount = order.paid ?? order.amount
  return {
    uniqueId: order.unique_id,
    identifier: order.identifier,
    status: shownStatusOf(order, now),
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
