/** Saved cards: made by a payment with saveCard that succeeded, charged by their token. */
import { usualBank } from '../../contract/assumed.ts'
import type { Random } from '../../edge.ts'
import { addCard } from '../../store/sandbox/cards.ts'
import type { OrderRow, SandboxWriter } from '../../store/sandbox/schema.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { findReceiver } from '../world/receiver.ts'
import type { TestCard } from './test-card.ts'

/** The bank that is meant: DEFAULT is the default bank of the receiver. */
async function providerOf(db: SandboxWriter, order: OrderRow): Promise<string> {
  const { directLinkProvider = 'DEFAULT', receiverType, receiverId } = orderRequest(order)
  if (directLinkProvider !== 'DEFAULT') return directLinkProvider
  return (await findReceiver(db, receiverType, receiverId))?.defaultBank ?? usualBank
}

/** Keeps the card and gives back its token. A card belongs to the integrator. */
export async function saveCard(
  db: SandboxWriter,
  order: OrderRow,
  card: TestCard,
  at: number,
  random: Random,
): Promise<string> {
  const token = random.uuid()
  await addCard(db, {
    token,
    integrator_id: order.integrator_id,
    order_id: order.order_id,
    card: card.name,
    provider: await providerOf(db, order),
    card_mask: card.cardMask,
    expiration_date: card.expirationDate,
    card_brand: card.cardBrand,
    created: at,
  })
  return token
}
