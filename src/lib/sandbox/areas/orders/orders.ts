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
import { addRow, addRows, findRow } from '../../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader, SandboxWriter } from '../../../store/sandbox/schema.ts'
import { type CheckedRequest, orderRoute } from '../../access/sealed.ts'
import { findReceiver, type Integrator } from '../../accounts/fixtures.ts'
import type { ProviderLists } from '../../accounts/settings.ts'
import type { Route } from '../../handler.ts'
import { refuse } from '../../shape.ts'
import { type TestCard, testCard } from '../cards.ts'
import { planSubscription } from '../subscriptions.ts'
import { acceptOrder } from './money.ts'
import { cancelOrderRoute, completeOrderRoute, tryToPay } from './payment.ts'
import { findOrder, orderStatusRoute } from './read.ts'
import { refundRoutes } from './refund.ts'

/** The place of payers, below the server's address. */
export const checkoutPath = '/checkout/'

// Receivers and providers that an order names: each must be there, and take what the order asks of it. A receiver
// that is not there has no code that is known: the general one of an order says it, in words (service.md#orders).

async function checkReceiver(db: SandboxReader, { request, context }: Asked): Promise<void> {
  const { receiverType, receiverId, directLinkProvider } = request
  const receiver = await findReceiver(db, receiverType, receiverId)
  if (!receiver && context.shape === 'recorded') {
    // The code and the text of an inner service, as they came through (service.md#seen-since).
    refuse(2158, 'Branch Account not found for given id.', {
      rule: 'service.md#seen-since: receiverId is no registered branch',
    })
  }
  if (!receiver || receiver.blocked) {
    return refuse(wrongReceiverBreaches.order, `receiverId ${receiver ? 'is blocked' : 'is no registered branch'}`)
  }
  if (directLinkProvider === 'DEFAULT' && receiver.defaultBank === null) {
    refuse(6093, 'directLinkProvider DEFAULT: no default bank is configured for the receiver')
  }
}

async function checkTip(db: SandboxReader, request: OrderRequest): Promise<void> {
  const { tipReceiverId, tipReceiverType, receiverType, receiverId } = request
  if (tipReceiverId === undefined && tipReceiverType === undefined) return
  const no = (why: string, code: number = wrongReceiverBreaches.tip) => refuse(code, `Tip receiver not found: ${why}`)
  const tipped = await findReceiver(db, tipReceiverType, tipReceiverId)
  if (!tipped) no('check tipReceiverId and tipReceiverType')
  if (tipped?.blocked) no('tipReceiverId is blocked')
  if (!(await findReceiver(db, receiverType, receiverId))?.takesTips) {
    no('tipping is not configured for the receiver', noTipsBreach)
  }
}

async function checkParts(db: SandboxReader, { splitDetails = [] }: OrderRequest): Promise<void> {
  for (const { receiverType, receiverIdentifier } of splitDetails) {
    if (receiverType === 'IBAN') continue
    const receiver = await findReceiver(db, receiverType, receiverIdentifier)
    if (receiver && !receiver.blocked) continue
    const why = receiver ? 'is blocked' : `is no registered ${receiverType}`
    refuse(wrongReceiverBreaches.part, `splitDetails ${receiverIdentifier} ${why}`)
  }
}

function checkProviders(request: OrderRequest, providers: ProviderLists): void {
  for (const name of providerFields) {
    const code = request[name]
    if (code === undefined || providers[name].includes(code)) continue
    const list = providers[name].join(', ')
    refuse(unlistedProviderBreach, `${name} ${JSON.stringify(code)} is not on the list of this field: ${list}`, {
      rule: `B1 ${name}, service.md#providers: only a provider on the list of the field`,
    })
  }
}

const mostIntervals = 1000

type Asked = CheckedRequest<typeof createOrder, Integrator>

/**
 * Limits that are configured for the integrator: the amount, or with a plan its price, lies between two sums. 0 is free of
 * them: it only saves a card. The contract knows no longest plan; the sandbox's numbers end somewhere.
 */
function checkLimits({ request, integrator }: Asked): void {
  const { amount, subscriptionPlan: plan } = request
  const { minimum, maximum } = integrator.orderLimits
  const asked = unitsOf(plan?.amount ?? amount) ?? 0n
  if (asked !== 0n && (asked < (unitsOf(minimum) ?? 0n) || asked > (unitsOf(maximum) ?? 0n))) {
    refuse(6026, `The amount is out of limits: ${minimum} to ${maximum}`)
  }
  if (Number(plan?.intervalCount ?? 1) > mostIntervals) {
    refuse(createOrder.breachCode, `subscriptionPlan intervalCount must be ${mostIntervals} at most`)
  }
}

/** The saved card that is charged at once; null where the order names none. */
async function cardOf(db: SandboxReader, { request, integrator }: Asked): Promise<TestCard | null> {
  const token = request.cardToken?.toLowerCase()
  if (token === undefined) return null
  const saved = await findRow(db, 'cards', { integrator_id: integrator.identifier, token })
  const card = saved && testCard(saved.card)
  return card ?? refuse(6075, 'Card not found: the integrator has no card of this cardToken')
}

const units = (amount: string): number => Number(unitsOf(amount) ?? 0n)

/** The order's own receiver first. With a plan they are the shares of its charges. */
function sharesFor(orderId: string, request: OrderRequest): Row<'shares'>[] {
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
  await addRow(db, 'orders', order)
  await addRows(db, 'shares', sharesFor(order.order_id, request))
  await planSubscription(db, order, context.random)
  return order
}

const createOrderRoute = orderRoute(createOrder, async (db, asked) => {
  const { request, integrator, now, context } = asked
  const { integratorOrderId } = request
  if (await findOrder(db, integrator, integratorOrderId)) {
    refuse(6023, 'An order with this integratorOrderId exists already')
  }
  checkLimits(asked)
  checkProviders(request, context.settings.providers)
  await checkReceiver(db, asked)
  await checkTip(db, request)
  await checkParts(db, request)
  const card = await cardOf(db, asked)
  const order = await write(db, asked)
  if (card) await tryToPay(db, order, { card, saved: true, tip: 0, at: now }, context.random)
  // The specification lists the address always; recorded is that a charge has none (service.md#public-clients).
  const hasAddress = card === null || context.shape === 'documented'
  return {
    integratorOrderId,
    ...(hasAddress && { urlForQR: `${context.checkoutBase}${checkoutPath}${order.order_id}` }),
  }
})

export const orderRoutes: readonly Route[] = [
  ...[createOrderRoute, orderStatusRoute, cancelOrderRoute, completeOrderRoute],
  ...refundRoutes,
]
