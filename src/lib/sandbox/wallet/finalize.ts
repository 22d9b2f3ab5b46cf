/**
 * C2: only here money moves. The checks in their order (service.md#wallet): finalised already, never created or over, the
 * amount, the receiver's limit. None of them changes the order, so that a correct finalize may follow.
 */

import { unitsOf } from '../../contract/core/money-rule.ts'
import { dayAtService } from '../../contract/order/valid-until.ts'
import type { WalletResult } from '../../contract/wallet/status.ts'
import { finalizeWalletOrder } from '../../contract/wallet/wallet.ts'
import type { WalletOrderRow } from '../../store/sandbox/schema/orders.ts'
import type { SandboxReader } from '../../store/sandbox/schema/schema.ts'
import { changeWalletOrder, findWalletOrder, postWallet, walletSum } from '../../store/sandbox/wallet.ts'
import { walletWrite } from '../access/entry.ts'
import { startOfDay } from '../clock/clock.ts'
import { dailyLimitOf } from '../world/receiver.ts'
import { keptUniqueId } from './unique-id.ts'

const day = 24 * 3_600_000

/** A receiver's limit is a sum per day of the service's calendar: midnight raises it again (assumed). */
async function isBeyondLimit(db: SandboxReader, receiverId: string, units: number, now: number): Promise<boolean> {
  const midnight = startOfDay(dayAtService(now))
  return BigInt((await walletSum(db, receiverId, midnight, midnight + day)) + units) > dailyLimitOf(receiverId)
}

/** Expired at the very end of its five minutes. */
export function isPastDeadline(order: WalletOrderRow, now: number): boolean {
  return now >= order.expires
}

async function resultOf(
  db: SandboxReader,
  order: WalletOrderRow | null,
  units: number,
  now: number,
): Promise<WalletResult> {
  if (order?.status === 'SUCCESS') return 'ALREADY_FINALISED'
  if (order?.status !== 'REGISTERED' || isPastDeadline(order, now) || order.receiver_id === null)
    return 'ORDER_NOT_FOUND'
  const { amount, minimum, maximum, receiver_id } = order
  if (amount !== null && units !== amount) return 'WRONG_AMOUNT'
  if ((minimum !== null && units < minimum) || (maximum !== null && units > maximum)) return 'AMOUNT_NOT_IN_RANGE'
  return (await isBeyondLimit(db, receiver_id, units, now)) ? 'RECEIVER_REACHED_LIMIT' : 'SUCCESS'
}

export const finalizeRoute = walletWrite(finalizeWalletOrder, async (db, { request, integrator, now }) => {
  const { uniqueId, amount } = request
  const units = Number(unitsOf(amount) ?? 0n)
  const order = await findWalletOrder(db, integrator.identifier, keptUniqueId(uniqueId))
  const status = await resultOf(db, order, units, now)
  if (status === 'SUCCESS' && order?.receiver_id) {
    const { identifier, unique_id, receiver_id } = order
    await postWallet(db, { identifier, unique_id, receiver_id, units, time: now })
    await changeWalletOrder(db, order, { status: 'SUCCESS', finalised: now })
  }
  return { kind: 'value', value: { uniqueId, status }, executed: status === 'SUCCESS' }
})
