/** B2: how far an order is. The recorded shape tells more of it (service.md#orders). */
import { JsonNumber } from '../../contract/core/decimal.ts'
import { orderStatus } from '../../contract/order/order.ts'
import { findOrder } from '../../store/sandbox/orders.ts'
import type { OrderRow } from '../../store/sandbox/schema/orders.ts'
import { sealedRead } from '../access/entry.ts'
import { type Refusal, refused } from '../shape.ts'
import { money } from '../world/money.ts'

export const unknownOrder: Refusal = {
  code: 6005,
  message: 'Integrator order not found: no order of this integrator has this integratorOrderId',
}

function recordedMembers(order: OrderRow): Readonly<Record<string, unknown>> {
  const { currency, acquiring_currency, acquired, transaction_id } = order
  return {
    initialCurrency: currency,
    acquiringCurrency: acquiring_currency,
    ...(acquired === 0 ? {} : { acquiringAmount: money(acquired) }),
    ...(transaction_id === null ? {} : { transactionId: new JsonNumber(transaction_id) }),
  }
}

export const orderStatusRoute = sealedRead(orderStatus, async (db, { request, integrator, around }) => {
  const { integratorOrderId } = request
  const order = await findOrder(db, integrator.identifier, integratorOrderId.toLowerCase())
  if (!order) return refused(unknownOrder.code, unknownOrder.message)
  const more = around.shape === 'recorded' ? recordedMembers(order) : {}
  return { kind: 'value', value: { integratorOrderId, status: order.status, ...more } }
})
