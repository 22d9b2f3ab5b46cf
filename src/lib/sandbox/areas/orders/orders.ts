/**
 * Orders (area B): the operations that integrators call, the moves that time makes, and B1. An order is decided and
 * written in one transaction. A repeated id is told first of all that depends on the state, so that a client whose
 * answer was lost learns that it has its order. A refusal writes nothing: the id stays free.
 */
import { noTipsBreach, unlistedProviderBreach, wrongReceiverBreaches } from '../../../contract/assumed.ts'
import { unitsOf } from '../../../contract/core/rules.ts'
import { createOrder, type OrderRequest } from '../../../contract/order/order.ts'
import { providerFields } from '../../../contract/order/request.ts'
import { writeJson } from '../../../json.ts'
import { findCard } from '../../../store/sandbox/cards.ts'
import { addOrder, findOrder } from '../../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader, SandboxWriter, ShareRow } from '../../../store/sandbox/schema.ts'
import { type CheckedRequest, sealedWrite } from '../../access/sealed.ts'
import { findReceiver, type Integrator } from '../../accounts/fixtures.ts'
import type { ProviderLists } from '../../accounts/settings.ts'
import type { HandlerContext, SandboxArea } from '../../handler.ts'
import type { Refusal } from '../../shape.ts'
import { type TestCard, testCard } from '../cards.ts'
import { acceptOrder } from './money.ts'
import { advanceOrders, cancelOrderRoute, completeOrderRoute, tryToPay } from './payment.ts'
import { orderStatusRoute } from './read.ts'
import { advanceRefunds, refundRoutes } from './refund.ts'

/** The place of payers, below the server's address. */
export const checkoutPath = '/checkout/'

// Receivers and providers that an order names: each must be there, and take what the order asks of it. A receiver
// that is not there has no code that is known: the general one of an order says it, in words (service.md#orders).

/** The code and the text of an inner service, as they came through (service.md#seen-since). */
const recordedUnknownReceiver: Refusal = {
  code: 2158,
  message: 'Branch Account not found for given id.',
  rule: 'service.md#seen-since: receiverId is no registered branch',
}

async function wrongReceiver(
  db: SandboxReader,
  request: OrderRequest,
  { shape }: Pick<HandlerContext, 'shape'>,
): Promise<Refusal | null> {
  const { receiverType, receiverId, directLinkProvider } = request
  const receiver = await findReceiver(db, receiverType, receiverId)
  if (!receiver && shape === 'recorded') return recordedUnknownReceiver
  if (!receiver || receiver.blocked) {
    const why = receiver ? 'is blocked' : 'is no registered branch'
    return { code: wrongReceiverBreaches.order, message: `receiverId ${why}` }
  }
  if (directLinkProvider !== 'DEFAULT' || receiver.defaultBank !== null) return null
  return { code: 6093, message: 'directLinkProvider DEFAULT: no default bank is configured for the receiver' }
}

async function wrongTip(db: SandboxReader, request: OrderRequest): Promise<Refusal | null> {
  const { tipReceiverId, tipReceiverType, receiverType, receiverId } = request
  if (tipReceiverId === undefined && tipReceiverType === undefined) return null
  const tipped = await findReceiver(db, tipReceiverType, tipReceiverId)
  if (!tipped)
    return {
      code: wrongReceiverBreaches.tip,
      message: 'Tip receiver not found: check tipReceiverId and tipReceiverType',
    }
  if (tipped.blocked)
    return { code: wrongReceiverBreaches.tip, message: 'Tip receiver not found: tipReceiverId is blocked' }
  if ((await findReceiver(db, receiverType, receiverId))?.takesTips) return null
  return { code: noTipsBreach, message: 'Tip receiver not found: tipping is not configured for the receiver' }
}

async function refuseWrongPart(db: SandboxReader, { splitDetails = [] }: OrderRequest): Promise<Refusal | null> {
  for (const { receiverType, receiverIdentifier } of splitDetails) {
    if (receiverType === 'IBAN') continue
    const receiver = await findReceiver(db, receiverType, receiverIdentifier)
    if (receiver && !receiver.blocked) continue
    const why = receiver ? 'is blocked' : `is no registered ${receiverType}`
    return { code: wrongReceiverBreaches.part, message: `splitDetails ${receiverIdentifier} ${why}` }
  }
  return null
}

function unlistedProvider(request: OrderRequest, providers: ProviderLists): Refusal | null {
  for (const name of providerFields) {
    const code = request[name]
    if (code === undefined || providers[name].includes(code)) continue
    return {
      code: unlistedProviderBreach,
      message: `${name} ${JSON.stringify(code)} is not on the list of this field: ${providers[name].join(', ')}`,
      rule: `B1 ${name}, service.md#providers: only a provider on the list of the field`,
    }
  }
  return null
}

/** The refusal of an order that cannot be for those whom it names; null where it can. */
async function wrongRecipient(
  db: SandboxReader,
  request: OrderRequest,
  context: Pick<HandlerContext, 'shape' | 'settings'>,
): Promise<Refusal | null> {
  return (
    unlistedProvider(request, context.settings.providers) ??
    (await wrongReceiver(db, request, context)) ??
    (await wrongTip(db, request)) ??
    (await refuseWrongPart(db, request))
  )
}

const mostIntervals = 1000

type Asked = CheckedRequest<typeof createOrder, Integrator>

/**
 * Limits that are configured for the integrator: the amount, or with a plan its price, lies between two sums. 0 is free of
 * them: it only saves a card. The contract knows no longest plan; the sandbox's numbers end somewhere.
 */
function refuseOutsideLimits({ request, integrator }: Asked): Refusal | null {
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
  const { request, integrator, context } = asked
  if (await findOrder(db, integrator.identifier, request.integratorOrderId.toLowerCase())) {
    return { code: 6023, message: 'An order with this integratorOrderId exists already' }
  }
  const wrong = refuseOutsideLimits(asked) ?? (await wrongRecipient(db, request, context))
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

async function write(db: SandboxWriter, { request, integrator, context, now }: Asked): Promise<OrderRow> {
  const terms = acceptOrder(request, integrator, now)
  const order: OrderRow = {
    order_id: context.random.uuid(),
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
    recorded: context.shape === 'recorded' ? 1 : 0,
  }
  await addOrder(db, order, sharesFor(order.order_id, request))
  await context.emit(db, 'order-created', { order, random: context.random })
  return order
}

/** The address at which the payer pays. */
function checkoutAddress({ context }: Asked, order: OrderRow): string {
  return `${context.payersAt}${checkoutPath}${order.order_id}`
}

const createOrderRoute = sealedWrite(createOrder, async (db, asked) => {
  const decision = await decide(db, asked)
  if ('code' in decision) return { kind: 'refused', refusal: decision }
  const order = await write(db, asked)
  const { card } = decision
  const { now, context } = asked
  if (card) await tryToPay(db, order, { card, saved: true, tip: 0, at: now }, context)
  const { integratorOrderId } = asked.request
  // The specification lists the address always; recorded is that a charge has none (service.md#public-clients).
  const hasAddress = card === null || context.shape === 'documented'
  const address = hasAddress ? { urlForQR: checkoutAddress(asked, order) } : {}
  return { kind: 'value', value: { integratorOrderId, ...address } }
})

export const orderArea: SandboxArea = {
  routes: [createOrderRoute, orderStatusRoute, cancelOrderRoute, ...refundRoutes, completeOrderRoute],
  moves: [advanceOrders, advanceRefunds],
}
