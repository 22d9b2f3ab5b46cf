/** The sandbox's queries of saved cards, and of the subscriptions that charge them. */
import type { CardRow, ChargeRow, SandboxReader, SandboxWriter, SubscriptionRow } from './schema.ts'

export type KeptCharge = Omit<ChargeRow, 'charge_id'> & { readonly charge_id: number }

export async function addCard(db: SandboxWriter, card: CardRow): Promise<void> {
  await db.insertInto('cards').values(card).execute()
}

export async function findCard(db: SandboxReader, integratorId: string, token: string): Promise<CardRow | null> {
  const query = db.selectFrom('cards').selectAll().where('integrator_id', '=', integratorId)
  return (await query.where('token', '=', token).executeTakeFirst()) ?? null
}

/** The card that was saved with an order. */
export async function cardOfOrder(db: SandboxReader, orderId: string): Promise<CardRow | null> {
  return (await db.selectFrom('cards').selectAll().where('order_id', '=', orderId).executeTakeFirst()) ?? null
}

export async function listCards(db: SandboxReader): Promise<CardRow[]> {
  return await db.selectFrom('cards').selectAll().orderBy('created').orderBy('token').execute()
}

export async function addSubscription(db: SandboxWriter, subscription: SubscriptionRow): Promise<void> {
  await db.insertInto('subscriptions').values(subscription).execute()
}

export async function findSubscription(
  db: SandboxReader,
  integratorId: string,
  subscriptionId: string,
): Promise<SubscriptionRow | null> {
  const query = db.selectFrom('subscriptions').selectAll().where('integrator_id', '=', integratorId)
  return (await query.where('subscription_id', '=', subscriptionId).executeTakeFirst()) ?? null
}

export async function subscriptionOfOrder(db: SandboxReader, orderId: string): Promise<SubscriptionRow | null> {
  return (await db.selectFrom('subscriptions').selectAll().where('order_id', '=', orderId).executeTakeFirst()) ?? null
}

export async function changeSubscription(
  db: SandboxWriter,
  subscriptionId: string,
  change: Partial<Pick<SubscriptionRow, 'status' | 'card_token' | 'anchor' | 'begun' | 'due'>>,
): Promise<void> {
  await db.updateTable('subscriptions').set(change).where('subscription_id', '=', subscriptionId).execute()
}

export async function subscriptionById(db: SandboxReader, id: string): Promise<SubscriptionRow | null> {
  const query = db.selectFrom('subscriptions').selectAll().where('subscription_id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** The one whose next charge is the longest due. */
export async function dueSubscription(db: SandboxReader, now: number): Promise<SubscriptionRow | null> {
  const query = db.selectFrom('subscriptions').selectAll().where('due', '<=', now)
  return (await query.orderBy('due').orderBy('subscription_id').executeTakeFirst()) ?? null
}

export async function listSubscriptions(db: SandboxReader): Promise<SubscriptionRow[]> {
  return await db.selectFrom('subscriptions').selectAll().orderBy('created').orderBy('subscription_id').execute()
}

export async function addCharge(db: SandboxWriter, charge: Omit<ChargeRow, 'charge_id'>): Promise<KeptCharge> {
  const query = db.insertInto('charges').values(charge).returning('charge_id')
  return { ...charge, ...(await query.executeTakeFirstOrThrow()) }
}

export async function dueCharges(db: SandboxReader, now: number): Promise<KeptCharge[]> {
  return await db
    .selectFrom('charges')
    .selectAll()
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('charge_id')
    .execute()
}

export async function endCharge(
  db: SandboxWriter,
  chargeId: number,
  status: string,
  failReason: string | null,
): Promise<void> {
  const query = db.updateTable('charges').set({ status, due: null, fail_reason: failReason })
  await query.where('charge_id', '=', chargeId).execute()
}

export async function chargesOf(db: SandboxReader, subscriptionId: string): Promise<KeptCharge[]> {
  const query = db.selectFrom('charges').selectAll().where('subscription_id', '=', subscriptionId)
  return await query.orderBy('time').orderBy('charge_id').execute()
}
