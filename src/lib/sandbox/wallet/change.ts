/**
 * C3 and C4: delete and details. Deleting answers CANCELED (assumed). An order that is no longer REGISTERED, a deleted or
 * expired one among them, is not deleted again: 6110, the only code of this area that speaks of an order's end (assumed).
 */

import { deletedWalletStatus, undeletableBreach } from '../../contract/assumed.ts'
import type { WalletStatus } from '../../contract/wallet/status.ts'
import { cancelWalletOrder, walletOrderDetails } from '../../contract/wallet/wallet.ts'
import type { SandboxReader, WalletOrderRow } from '../../store/sandbox/schema.ts'
import { changeWalletOrder, findWalletOrder, walletSumOf } from '../../store/sandbox/wallet.ts'
import { walletRead, walletWrite } from '../access/entry.ts'
import { localMoment } from '../clock/clock.ts'
import { refused } from '../shape.ts'
import { money } from '../world/money.ts'
import { isPastDeadline } from './finalize.ts'
import { keptUniqueId } from './unique-id.ts'

const unknown = refused(6045, 'Third-party order not found: this integrator has no order of this uniqueId')

export const cancelWalletRoute = walletWrite(cancelWalletOrder, async (db, { request, integrator, now }) => {
  const { uniqueId } = request
  const order = await findWalletOrder(db, integrator.identifier, keptUniqueId(uniqueId))
  if (!order) return unknown
  if (order.status !== 'REGISTERED' || isPastDeadline(order, now)) {
    return refused(undeletableBreach, `The order cannot be deleted: it is ${shownStatusOf(order, now)}`)
  }
  await changeWalletOrder(db, order, { status: deletedWalletStatus })
  return { kind: 'value', value: { uniqueId, status: deletedWalletStatus } }
})

/** The status in the details: rejected, deleted and expired orders all read FAILED (service.md#wallet). */
export function shownStatusOf(order: WalletOrderRow, now: number): WalletStatus {
  if (order.status === 'SUCCESS') return 'SUCCESS'
  return order.status === 'REGISTERED' && !isPastDeadline(order, now) ? 'REGISTERED' : 'FAILED'
}

/** The sum that was paid, else the one that is due; null while the payer has the choice. */
async function amountOf(db: SandboxReader, order: WalletOrderRow): Promise<number | null> {
  return order.status === 'SUCCESS' ? await walletSumOf(db, order) : order.amount
}

export const walletDetailsRoute = walletRead(walletOrderDetails, async (db, { request, integrator, now }) => {
  const { uniqueId } = request
  const order = await findWalletOrder(db, integrator.identifier, keptUniqueId(uniqueId))
  if (!order) return unknown
  const amount = await amountOf(db, order)
  return {
    kind: 'value',
    value: {
      uniqueId,
      ...(amount === null ? {} : { amount: money(amount) }),
      status: shownStatusOf(order, now),
      createdAt: localMoment(order.created),
      ...(order.finalised === null ? {} : { finalisedAt: localMoment(order.finalised) }),
    },
  }
})
