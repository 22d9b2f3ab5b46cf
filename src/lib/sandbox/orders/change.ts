/**
 * B3 and completion: what an integrator does to an order that is not final. The answer of complete is not shown; it is
 * written like that of cancel. A state that does not fit has one code, 6006: "not found or final" (assumed for complete).
 */
import { captureTakes, completedStatus, uncompletableBreach } from '../../contract/assumed.ts'
import { unitsOf } from '../../contract/core/rules.ts'
import { cancelOrder, completeOrder } from '../../contract/order/order.ts'
import { findOrder, updateOrder } from '../../store/sandbox/orders.ts'
import type { OrderRow } from '../../store/sandbox/schema.ts'
import { sealedWrite } from '../access/entry.ts'
import { type HandlerOutcome, refused } from '../shape.ts'
import { money } from '../world/money.ts'
import { capture } from './capture.ts'
import { unknownOrder } from './look.ts'
import { endCapture, endUnpaid } from './payment.ts'

const unknown: HandlerOutcome = { kind: 'refused', refusal: unknownOrder }

export function notInState({ status }: OrderRow, verb: string, code = 6006): HandlerOutcome {
  return refused(code, `The order cannot be ${verb}: it is ${status}`)
}

export const cancelOrderRoute = sealedWrite(cancelOrder, async (db, { request, integrator, around }) => {
  const { integratorOrderId } = request
  const order = await findOrder(db, integrator.identifier, integratorOrderId.toLowerCase())
  if (!order) return unknown
  if (order.status !== 'INITIAL' && order.status !== 'PROCESSING') return notInState(order, 'cancelled')
  const { status } = await endUnpaid(db, order, 'CANCELED', around)
  return { kind: 'value', value: { integratorOrderId, status } }
})

export const completeOrderRoute = sealedWrite(completeOrder, async (db, { request, integrator, around, now }) => {
  const { integratorOrderId, amount } = request
  const order = await findOrder(db, integrator.identifier, integratorOrderId.toLowerCase())
  if (!order) return unknown
  if (order.status !== 'WAITING_FOR_CONFIRM' || order.paid > 0) {
    return notInState(order, 'completed', uncompletableBreach)
  }
  const units = Number(unitsOf(amount) ?? 0n)
  if (units > order.authorised) {
    return refused(6026, `amount is out of limits: ${money(order.authorised)} is blocked on the card`)
  }
  const paid = await capture(db, order, units)
  const { trying } = order
  if (order.recorded === 0) await endCapture(db, { ...paid, trying }, now, around)
  // Recorded is that the order reads as before for a while (service.md#seen-since).
  else await updateOrder(db, paid, { status: order.status, trying, due: now + captureTakes * 1000 })
  return { kind: 'value', value: { integratorOrderId, status: completedStatus } }
})
