/**
 * The payments of a subscription, and its end (service.md#subscriptions). A subscription without a payment yet has no
 * history: 6112.
 */
import { revokeSubscription, subscriptionHistory } from '../../contract/subscription.ts'
import { changeSubscription, chargesOf, findSubscription } from '../../store/sandbox/cards.ts'
import { sealedRead, sealedWrite } from '../access/entry.ts'
import { localMoment } from '../clock/clock.ts'
import { refused } from '../shape.ts'

const unknown = refused(6100, 'Subscription plan not found: this integrator has none of this subscriptionId')

export const historyRoute = sealedRead(subscriptionHistory, async (db, { request, integrator }) => {
  const subscription = await findSubscription(db, integrator.identifier, request.subscriptionId.toLowerCase())
  if (!subscription) return unknown
  const charges = await chargesOf(db, subscription.subscription_id)
  if (charges.length === 0) return refused(6112, 'Plan history not found: nothing was due yet')
  return {
    kind: 'value',
    // No operation refunds a single payment of a plan, so these two stay empty.
    value: charges.map(({ time, status, fail_reason }) => ({
      time: localMoment(time),
      status,
      refundTime: null,
      refundedAmount: null,
      failReason: fail_reason,
    })),
  }
})

/** Nothing is charged from now on; a second revoke finds it ended and says the same. */
export const revokeRoute = sealedWrite(revokeSubscription, async (db, { request, integrator }) => {
  const subscription = await findSubscription(db, integrator.identifier, request.subscriptionId.toLowerCase())
  if (!subscription) return unknown
  await changeSubscription(db, subscription.subscription_id, { status: 'REVOKED', due: null })
  return { kind: 'value', value: {} }
})
