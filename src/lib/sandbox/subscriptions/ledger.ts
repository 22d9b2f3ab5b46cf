/** Subscriptions as the ledger tells of them. */
import type { ResultOf } from '../../result.ts'
import { chargesOf, listSubscriptions } from '../../store/sandbox/cards.ts'
import type { SandboxReader, SubscriptionRow } from '../../store/sandbox/schema.ts'
import { localMoment } from '../clock/clock.ts'
import { describeEach } from '../ledger/ledger.ts'
import { orderNameOf } from '../ledger/order-name.ts'
import { money } from '../world/money.ts'
import type { ledgerSubscriptionResult } from './result.ts'

export type LedgerSubscription = ResultOf<typeof ledgerSubscriptionResult>

export async function describeSubscription(db: SandboxReader, plan: SubscriptionRow): Promise<LedgerSubscription> {
  const charges = await chargesOf(db, plan.subscription_id)
  return {
    subscriptionId: plan.subscription_id,
    integratorId: plan.integrator_id,
    integratorOrderId: await orderNameOf(db, plan.order_id),
    status: plan.status,
    interval: plan.interval,
    intervalCount: plan.interval_count,
    amount: money(plan.amount),
    completed: charges.filter(({ status }) => status === 'COMPLETED').length,
    failed: charges.filter(({ status }) => status === 'FAILED').length,
    nextChargeAt: plan.due === null ? null : localMoment(plan.due),
    createdAt: localMoment(plan.created),
  }
}

export async function subscriptionLedger(db: SandboxReader): Promise<LedgerSubscription[]> {
  return await describeEach(await listSubscriptions(db), (plan) => describeSubscription(db, plan))
}
