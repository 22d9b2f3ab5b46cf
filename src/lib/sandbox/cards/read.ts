/** D: the card that was saved with an order. */
import { getCard } from '../../contract/card.ts'
import { cardOfOrder } from '../../store/sandbox/cards.ts'
import { findOrder } from '../../store/sandbox/orders.ts'
import { sealedRead } from '../access/entry.ts'
import { refused } from '../shape.ts'

export const cardRoute = sealedRead(getCard, async (db, { integrator, request }) => {
  const order = await findOrder(db, integrator.identifier, request.integratorOrderId.toLowerCase())
  const card = order ? await cardOfOrder(db, order.order_id) : null
  if (!card) return refused(6075, 'Card not found: no card of this integrator was saved with this order')
  const { token, provider, card_mask, expiration_date, card_brand } = card
  return {
    kind: 'value',
    value: { token, provider, cardMask: card_mask, expirationDate: expiration_date, cardBrand: card_brand },
  }
})
