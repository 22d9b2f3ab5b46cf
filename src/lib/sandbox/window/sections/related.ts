/** Entries that have to do with each other: an order with its callbacks, its card, its plan; each of them with the order. */
import { listSentCallbacks } from '../../../store/sandbox/callbacks.ts'
import { cardOfOrder, subscriptionById, subscriptionOfOrder } from '../../../store/sandbox/cards.ts'
import type { SandboxReader } from '../../../store/sandbox/schema.ts'
import type { EntryLink } from './section.ts'

export function orderLink(id: string): EntryLink {
  return { title: 'Order', view: 'orders', id }
}

async function orderBehind(db: SandboxReader, { view, id }: EntryLink): Promise<string | null> {
  if (view === 'orders') return id
  return view === 'subscriptions' ? ((await subscriptionById(db, id))?.order_id ?? null) : null
}

/** The callbacks of the order behind an entry. */
export async function callbackLinks(db: SandboxReader, entry: EntryLink): Promise<EntryLink[]> {
  const order = await orderBehind(db, entry)
  if (order === null) return []
  return (await listSentCallbacks(db, [order])).map(({ callback_id: id }) => ({
    title: `Callback ${id}`,
    view: 'callbacks',
    id: String(id),
  }))
}

/** Everything that came of an order. */
export async function offspringOf(db: SandboxReader, order: string): Promise<EntryLink[]> {
  const [card, plan] = [await cardOfOrder(db, order), await subscriptionOfOrder(db, order)]
  return [
    ...(await callbackLinks(db, orderLink(order))),
    ...(card ? [{ title: 'Card', view: 'cards', id: order }] : []),
    ...(plan ? [{ title: 'Subscription', view: 'subscriptions', id: plan.subscription_id }] : []),
  ]
}
