/** B2: how far an order is. The recorded shape tells more of it (service.md#orders). */
import { JsonNumber } from '../../contract/core/decimal.ts'
import { orderStatus } from '../../contract/order/order.ts'
import { isRecord, readJson } from '../../json.ts'
import { findOrder } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader } from '../../store/sandbox/schema.ts'
import { sealedRead } from '../access/entry.ts'
import { localMoment } from '../clock/clock.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { type Refusal, refused } from '../shape.ts'
import { money } from '../world/money.ts'
import { findReceiver } from '../world/receiver.ts'

export const unknownOrder: Refusal = {
  code: 6005,
  message: 'Integrator order not found: no order of this integrator has this integratorOrderId',
}

/** "Partially refunded". */
function statusInWords(status: string): string {
  const words = status.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A receipt of several lines with Georgian labels, as it was recorded (service.md#seen-since); the labels are assumed. */
async function reportOf(db: SandboxReader, order: OrderRow): Promise<string> {
  const { receiverId, receiverType, integratorOrderId } = orderRequest(order)
  const name = (await findReceiver(db, receiverType, receiverId))?.name ?? receiverId
  const [date = '', time = ''] = localMoment(order.created).slice(0, 19).split('T')
  return [
    `მიმღები: ${name}`,
    `ფილიალი: ${name}`,
    `შეკვეთა: ${integratorOrderId}`,
    // 0.1, and not 0.10.
    `თანხა: ${Number(money(order.paid).text)} ${order.currency}`,
    'გადახდის მეთოდი: Card',
    `თარიღი: ${date.split('-').reverse().join('.')} ${time}`,
    `სტატუსი: ${statusInWords(order.status)}`,
  ].join('\n')
}

async function recordedMembers(
  db: SandboxReader,
  order: OrderRow,
  payload: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const { currency, acquiring_currency, acquired, transaction_id, paid } = order
  const wantsReport = isRecord(payload) && String(payload.returnCheckDetails) === 'true'
  return {
    ...(wantsReport && paid > 0 ? { report: await reportOf(db, order) } : {}),
    initialCurrency: currency,
    acquiringCurrency: acquiring_currency,
    ...(acquired === 0 ? {} : { acquiringAmount: money(acquired) }),
    ...(transaction_id === null ? {} : { transactionId: new JsonNumber(transaction_id) }),
  }
}

export const orderStatusRoute = sealedRead(orderStatus, async (db, { request, text, integrator, around }) => {
  const { integratorOrderId } = request
  const order = await findOrder(db, integrator.identifier, integratorOrderId.toLowerCase())
  if (!order) return refused(unknownOrder.code, unknownOrder.message)
  const more = around.shape === 'recorded' ? await recordedMembers(db, order, readJson(text)) : {}
  return { kind: 'value', value: { integratorOrderId, status: order.status, ...more } }
})
