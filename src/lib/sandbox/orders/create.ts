/**
 * B1: an order is decided and written in one transaction. A repeated id is told first of all that depends on the state, so
 * that a client whose answer was lost learns that it has its order. A refusal writes nothing: the id stays free.
 */

import { unitsOf } from '../../contract/core/rules.ts'
import { createOrder, type OrderRequest } from '../../contract/order/order.ts'
import { writeJson } from '../../json.ts'
import { findCard } from '../../store/sandbox/cards.ts'
import { addOrder, findOrder } from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader, SandboxWriter, ShareRow } from '../../store/sandbox/schema.ts'
import { type Entered, sealedWrite } from '../access/entry.ts'
import { type TestCard, testCard } from '../cards/test-card.ts'
import type { Refusal } from '../shape.ts'
import type { Integrator } from '../world/integrator.ts'
import { tryToPay } from './payment.ts'
import { wrongRecipient } from './recipients.ts'
import { accepted } from './terms.ts'

const mostIntervals = 1000

type Asked = Entered<typeof createOrder, Integrator>

/**
 * Limits that are configured for the integrator: the amount, or with a plan its price, lies between two sums. 0 is free of
 * them: it only saves a card. The contract knows no longest plan; the sandbox's numbers end somewhere.
 */
function outOfLimits({ request, integrator }: Asked): Refusal | null {
  const { amount, subscriptionPlan: plan } = request
  const { minimum, maximum } = integrator.orderLimits
  const asked = unitsOf(plan?.amount ?? amount) ?? 0n
  if (asked !== 0n && (asked < (unitsOf(minimum) ?? 0n) || asked > (unitsOf(maximum) ?? 0n))) {
    return { code: 6026, message: `The amount is out of limits: ${minimum} to ${maximum}` }
  }
  if (Number(plan?.intervalCount ?? 1) <= mostIntervals) return null
  return { code: createOrder.breachCode, message: `subscriptionPlan intervalCount must be ${mostIntervals} at most` }
}

interface Decision {
  /** The saved card that is charged at once. */
  readonly card: TestCard | null
}

async function decide(db: SandboxReader, asked: Asked): Promise<Decision | Refusal> {
  const { request, integrator, around } = asked
  if (await findOrder(db, integrator.identifier, request.integratorOrderId.toLowerCase())) {
    return { code: 6023, message: 'An order with this integratorOrderId exists already' }
  }
  const wrong = outOfLimits(asked) ?? (await wrongRecipient(db, request, around))
  if (wrong) return wrong
  if (request.cardToken === undefined) return { card: null }
  const saved = await findCard(db, integrator.identifier, request.cardToken.toLowerCase())
  const card = saved && testCard(saved.card)
  return card ? { card } : { code: 6075, message: 'Card not found: the integrator has no card of this cardToken' }
}

const units = (amount: string): number => Number(unitsOf(amount) ?? 0n)

/** The order's own receiver first. With a plan they are the shares of its charges. */
function sharesFor(orderId: string, request: OrderRequest): ShareRow[] {
  const main = { receiverType: 'BRANCH', receiverIdentifier: request.receiverId }
  const whole = request.subscriptionPlan?.amount ?? request.amount
  const split = request.splitDetails ?? [{ ...main, amount: whole }]
  const isMain = (each: (typeof split)[number]) =>
    each.receiverIdentifier.toLowerCase() === request.receiverId.toLowerCase()
  return [...split.filter(isMain), ...split.filter((each) => !isMain(each))].map((each, position) => ({
    order_id: orderId,
    position,
    receiver_type: each.receiverType,
    receiver: each.receiverType === 'IBAN' ? each.receiverIdentifier : each.receiverIdentifier.toLowerCase(),
    amount: units(each.amount),
    tip: 0,
  }))
}

async function write(db: SandboxWriter, { request, integrator, around, now }: Asked): Promise<OrderRow> {
  const terms = accepted(request, integrator, now)
  const order: OrderRow = {
    order_id: around.random.uuid(),
    integrator_id: integrator.identifier,
    integrator_order_id: request.integratorOrderId.toLowerCase(),
    status: 'INITIAL',
    amount: units(request.amount),
    currency: terms.currency,
    acquiring_currency: terms.acquiringCurrency,
    distribution_currency: terms.distributionCurrency,
    commission_type: terms.commissionType,
    tip: 0,
    authorised: 0,
    paid: 0,
    acquired: 0,
    transaction_id: null,
    valid_until: terms.validUntil,
    due: terms.expires,
    trying: null,
    awaits: null,
    checkout: null,
    fail_reason: null,
    created: now,
    request: writeJson(request),
    recorded: around.shape === 'recorded' ? 1 : 0,
  }
  await addOrder(db, order, sharesFor(order.order_id, request))
  await around.tell(db, 'order-created', { order, random: around.random })
  return order
}

/** The address at which the payer pays. */
function checkoutAddress({ around }: Asked, order: OrderRow): string {
  return `${around.payersAt}/checkout/${order.order_id}`
}

export const createOrderRoute = sealedWrite(createOrder, async (db, asked) => {
  const decision = await decide(db, asked)
  if ('code' in decision) return { kind: 'refused', refusal: decision }
  const order = await write(db, asked)
  const { card } = decision
  const { now, around } = asked
  if (card) await tryToPay(db, order, { card, saved: true, tip: 0, at: now }, around)
  const { integratorOrderId } = asked.request
  // The specification lists the address always; recorded is that a charge has none (service.md#public-clients).
  const hasAddress = card === null || around.shape === 'documented'
  const address = hasAddress ? { urlForQR: checkoutAddress(asked, order) } : {}
  return { kind: 'value', value: { integratorOrderId, ...address } }
})
