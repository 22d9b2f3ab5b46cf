/**
 * Saved cards and subscriptions. The service has no list of them: they are found in the orders of this journal and in callbacks. A
 * callback is a hint.
 */
import type { HeardCallback } from '../callback/callbacks.ts'
import { isMembers, type Members } from '../contract/core/members.ts'
import { planPrice } from '../contract/order/plan.ts'
import { revokeSubscription } from '../contract/subscription.ts'
import { requestIn } from '../journal/payment-end.ts'
import type { ResultOf } from '../result.ts'
import { type ListedJournal, readThings } from './list.ts'
import type { savedCardsResult, subscriptionsResult } from './result.ts'
import { isExecutedHere, type ListedRow, type ListQuery, listedRow, matches } from './row.ts'

export type SavedCards = ResultOf<typeof savedCardsResult>
export type Subscriptions = ResultOf<typeof subscriptionsResult>

interface AskedOrder {
  readonly row: ListedRow
  readonly request: Members
}

const atOnce = 500

/** Orders that match the query and whose request has this member, the newest first. */
async function ordersWith(
  member: 'saveCard' | 'subscriptionPlan',
  query: ListQuery,
  { journal, now }: { readonly journal: ListedJournal; readonly now: number },
): Promise<readonly AskedOrder[]> {
  const found: AskedOrder[] = []
  for await (const page of readThings(journal, query, atOnce)) {
    for (const thing of page) {
      const request = requestIn(thing.created.body)
      const value = request[member]
      if (value === undefined || value === null || String(value) === 'false') continue
      const row = listedRow('order', thing, now)
      if (matches(row, query)) found.push({ row, request })
    }
  }
  return found
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

function factsOf({ journalId, key, state, status, profile }: ListedRow) {
  return { journalId, key, state, status, profile }
}

/** Of an order that this journal did not make. */
const notHere = { journalId: null, key: null, state: null }

/** `heard`: payment callbacks with a card, the newest first. */
export async function savedCards(
  query: ListQuery,
  known: Parameters<typeof ordersWith>[2],
  heard: readonly HeardCallback[],
): Promise<SavedCards> {
  const byOrder = new Map(heard.toReversed().map((callback) => [callback.integratorOrderId, callback]))
  const cardOf = (integratorOrderId: string) => {
    const callback = byOrder.get(integratorOrderId)
    const card = isMembers(callback?.fields.cardInfo) ? callback.fields.cardInfo : {}
    return {
      integratorOrderId,
      cardMask: textOf(card.cardMask),
      cardBrand: textOf(card.cardBrand),
      provider: textOf(card.provider),
      expirationDate: textOf(card.expirationDate),
      toldAt: callback?.receivedAt ?? null,
    }
  }
  const asked = await ordersWith('saveCard', query, known)
  const mine = new Set(asked.map(({ row }) => row.uniqueId))
  const others = [...byOrder].flatMap(([order, { status, profile }]) =>
    order === null || mine.has(order) || query.key !== null ? [] : [{ ...cardOf(order), ...notHere, status, profile }],
  )
  return [...asked.map(({ row }) => ({ ...cardOf(row.uniqueId), ...factsOf(row) })), ...others]
}

/** `heard`: callbacks of subscriptions, and of payments with a subscription, the newest first. */
export async function subscriptions(
  query: ListQuery,
  known: Parameters<typeof ordersWith>[2],
  heard: readonly HeardCallback[],
): Promise<Subscriptions> {
  const callbacksOf = new Map<string, HeardCallback[]>()
  for (const callback of heard) {
    const { subscriptionId } = callback
    if (subscriptionId === null) continue
    const same = callbacksOf.get(subscriptionId)
    if (same) same.push(callback)
    else callbacksOf.set(subscriptionId, [callback])
  }
  const revocations = await known.journal.list({
    operations: [revokeSubscription],
    ...(query.profile === null ? {} : { profile: query.profile }),
  })
  const about = (subscriptionId: string | null) => {
    const told = subscriptionId === null ? [] : (callbacksOf.get(subscriptionId) ?? [])
    const charges = told.filter(({ kind, duplicateOf }) => kind === 'subscription' && duplicateOf === null)
    const [last] = charges
    const writes = revocations.filter(({ uniqueId }) => uniqueId === subscriptionId)
    const isOpen = writes.some(({ state }) => state === 'unknown')
    const revoked: Subscriptions[number]['revoked'] = writes.some(isExecutedHere) ? 'yes' : isOpen ? 'unknown' : 'no'
    const lastCharge = last ? { at: last.receivedAt, status: last.status, amount: last.amount } : null
    return { subscriptionId, charges: charges.length, lastCharge, revoked }
  }
  const named = [...callbacksOf].map(([subscriptionId, callbacks]) => {
    const order = callbacks.find(({ integratorOrderId }) => integratorOrderId !== null)?.integratorOrderId ?? null
    return { subscriptionId, order, profile: callbacks[0]?.profile ?? null }
  })
  const byOrder = new Map(named.map(({ order, subscriptionId }) => [order, subscriptionId]))
  const own = (await ordersWith('subscriptionPlan', query, known)).map(({ row, request }) => ({
    ...about(byOrder.get(row.uniqueId) ?? null),
    integratorOrderId: row.uniqueId,
    plan: planPrice(request),
    ...factsOf(row),
  }))
  const mine = new Set(own.map(({ subscriptionId }) => subscriptionId))
  const others = named.flatMap(({ subscriptionId, order, profile }) =>
    mine.has(subscriptionId) || query.key !== null
      ? []
      : [{ ...about(subscriptionId), integratorOrderId: order, plan: null, ...notHere, status: null, profile }],
  )
  return [...others, ...own]
}
