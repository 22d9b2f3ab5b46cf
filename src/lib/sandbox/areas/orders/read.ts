/**
 * An order as it is shown: to the integrator (B2; the recorded shape tells more, service.md#orders), to `sandbox
 * trigger`, in the ledger.
 */
import { z } from 'zod'
import { JsonNumber } from '../../../contract/core/decimal.ts'
import { orderStatus } from '../../../contract/order/order.ts'
import { Failure } from '../../../failure.ts'
import { hint, paste } from '../../../hint.ts'
import { isRecord, readJson } from '../../../json.ts'
import { jsonAmount, oneWordOf, type ResultOf, uuidText } from '../../../result.ts'
import { ordersNamed } from '../../../store/sandbox/orders.ts'
import { findRow, listRows } from '../../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader } from '../../../store/sandbox/schema.ts'
import { orderRoute } from '../../access/sealed.ts'
import { findReceiver, type Integrator } from '../../accounts/fixtures.ts'
import { localMoment, sandboxMoment } from '../../clock.ts'
import { money, orderRequest } from '../../ledger.ts'
import { refuse } from '../../shape.ts'

/** The order of this integrator that has this id; null where it has none. */
export async function findOrder(
  db: SandboxReader,
  { identifier }: Integrator,
  integratorOrderId: string,
): Promise<OrderRow | null> {
  const named = { integrator_id: identifier, integrator_order_id: integratorOrderId.toLowerCase() }
  return await findRow(db, 'orders', named)
}

/** The same; refuses where there is none. */
export async function knownOrder(db: SandboxReader, integrator: Integrator, id: string): Promise<OrderRow> {
  const order = await findOrder(db, integrator, id)
  return order ?? refuse(6005, 'Integrator order not found: no order of this integrator has this integratorOrderId')
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

export const orderStatusRoute = orderRoute(orderStatus, async (db, { request, text, integrator, context }) => {
  const { integratorOrderId } = request
  const order = await knownOrder(db, integrator, integratorOrderId)
  const more = context.shape === 'recorded' ? await recordedMembers(db, order, readJson(text)) : {}
  return { integratorOrderId, status: order.status, ...more }
})

// An order by its name from outside: the integrator's id, or the service's own.

/** Throws a Failure: not-found (6), or usage (2) where several integrators have one of this id. */
export async function orderNamed(db: SandboxReader, id: string): Promise<OrderRow> {
  const found = await ordersNamed(db, id.trim().toLowerCase())
  const [order, ...more] = found
  if (!order) {
    throw new Failure('not-found', `the sandbox has no order ${id}`, {
      hints: [hint`\`${paste('sandbox ledger')}\` lists the orders of this world.`],
    })
  }
  if (more.length === 0) return order
  throw new Failure('usage', `${found.length} integrators have an order ${id}`, {
    hints: [
      hint`Name it by the service's own id, the end of its urlForQR: ${found.map((each) => each.order_id).join(', ')}.`,
    ],
  })
}

export type LedgerOrder = ResultOf<typeof ledgerOrderResult>

const total = (postings: readonly Row<'order_postings'>[]): number =>
  postings.reduce((sum, { units }) => sum + units, 0)

function sumReceived(postings: readonly Row<'order_postings'>[], position: number): number {
  const own = postings.filter((each) => each.position === position)
  return total(own.filter(({ kind }) => kind !== 'debit')) - total(own.filter(({ kind }) => kind === 'debit'))
}

export async function describeOrder(db: SandboxReader, order: OrderRow): Promise<LedgerOrder> {
  const { order_id } = order
  const postings = await listRows(db, 'order_postings', { order_id })
  const refunds = (await listRows(db, 'refunds', { order_id })).filter(({ status }) => status !== 'FAILED')
  const shares = await listRows(db, 'shares', { order_id })
  return {
    integratorOrderId: orderRequest(order).integratorOrderId,
    integratorId: order.integrator_id,
    status: order.status,
    amount: money(order.amount),
    currency: order.currency,
    tip: money(order.tip),
    acquiringAmount: money(order.acquired),
    acquiringCurrency: order.acquiring_currency,
    distributionCurrency: order.distribution_currency,
    commissionType: order.commission_type,
    charges: postings.filter(({ kind }) => kind === 'charge').length,
    refunded: money(refunds.reduce((sum, { amount }) => sum + amount, 0)),
    refunds: refunds.length,
    returned: money(total(postings.filter(({ kind }) => kind === 'refund'))),
    cardSaved: (await findRow(db, 'cards', { order_id })) !== null,
    splits: shares.map(({ receiver_type, receiver, amount, position, tip }) => ({
      receiverType: receiver_type,
      receiverIdentifier: receiver,
      amount: money(amount),
      received: money(sumReceived(postings, position)),
      tip: tip === 1,
    })),
    subscriptionId: (await findRow(db, 'subscriptions', { order_id }))?.subscription_id ?? null,
    failReason: order.fail_reason,
    createdAt: localMoment(order.created),
  }
}

export async function orderLedger(db: SandboxReader): Promise<LedgerOrder[]> {
  return await Promise.all((await listRows(db, 'orders')).map((order) => describeOrder(db, order)))
}

export const ledgerOrderResult = z.strictObject({
  integratorOrderId: z.string(),
  integratorId: uuidText,
  status: z.string(),
  amount: jsonAmount,
  currency: z.string(),
  tip: jsonAmount.describe('What the payer added.'),
  acquiringAmount: jsonAmount.describe(
    "What left the payer's card, the charges of a plan not counted, or is blocked on it; 0 before.",
  ),
  acquiringCurrency: z.string(),
  distributionCurrency: z.string(),
  commissionType: oneWordOf(['SENDER', 'RECEIVER', 'BOTH']),
  charges: z.int().min(0).describe("How often the payer's card was charged, the charges of a plan among them."),
  refunded: jsonAmount.describe("What was asked back and did not fail, in the order's currency."),
  refunds: z.int().min(0).describe('In how many refunds.'),
  returned: jsonAmount.describe('What the payer has back, in the acquiring currency.'),
  cardSaved: z.boolean(),
  splits: z
    .array(
      z.strictObject({
        receiverType: oneWordOf(['BRANCH', 'USER', 'IBAN']),
        receiverIdentifier: z.string(),
        amount: jsonAmount.describe("Its share, in the order's currency."),
        received: jsonAmount.describe('What is with it now, in the distribution currency.'),
        tip: z.boolean().describe('Whether it is the tip.'),
      }),
    )
    .describe("Who shares in it; the order's own receiver first."),
  subscriptionId: z.string().nullable().describe('Of an order with a plan.'),
  failReason: z.string().nullable().describe('Why the last try to pay failed.'),
  createdAt: sandboxMoment,
})
