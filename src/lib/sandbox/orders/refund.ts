/**
 * Refund, both versions (service.md#refunds): decided and reserved in one transaction, ended by the clock. The receivers' money
 * leaves their balances at once, so that two refunds cannot spend it twice; the payer has it when the refund is done. Without
 * details the order's own receiver gives first, then the others, the tip last.
 */
import { refundTakes } from '../../contract/assumed.ts'
import { unitsOf } from '../../contract/core/rules.ts'
import type { RequestOf } from '../../contract/operation.ts'
import { refundOrder, refundOrderFirst } from '../../contract/order/refund.ts'
import {
  addRefund,
  addRefundPart,
  findOrder,
  type KeptRefund,
  postOrder,
  receivedBy,
  refundPartsOf,
  sharesOf,
  updateOrder,
} from '../../store/sandbox/orders.ts'
import type { OrderRow, SandboxReader, SandboxWriter, ShareRow } from '../../store/sandbox/schema.ts'
import { type Entered, sealedWrite } from '../access/entry.ts'
import type { Route } from '../handler.ts'
import type { HandlerOutcome, Refusal } from '../shape.ts'
import type { Switches } from '../switches.ts'
import type { Integrator } from '../world/integrator.ts'
import { money } from '../world/money.ts'
import { findReceiver } from '../world/receiver.ts'
import { notInState } from './change.ts'
import { unknownOrder } from './look.ts'
import { backOf, convert } from './money.ts'
import { credited } from './refund-end.ts'
import { stageOf } from './stage.ts'

/** A refund that is asked for: all that is left where no amount is named. */
export interface WantedRefund extends Pick<RequestOf<typeof refundOrder>, 'refundDetails'> {
  readonly amount?: string
  readonly initiator: string
  readonly now: number
}

export const refundable = ['SUCCESS', 'PARTIALLY_REFUNDED', 'REFUNDED_FAILED']

/** A share, and how much of it went back before. */
interface ShareLeft {
  readonly share: ShareRow
  readonly before: number
}

interface Taken extends ShareLeft {
  readonly now: number
}

async function sharesLeft(db: SandboxReader, order: OrderRow): Promise<readonly ShareLeft[]> {
  const parts = await refundPartsOf(db, order.order_id, 'FAILED')
  return (await sharesOf(db, order.order_id)).map((share) => ({
    share,
    before: parts.filter(({ position }) => position === share.position).reduce((sum, { amount }) => sum + amount, 0),
  }))
}

const left = ({ share, before }: ShareLeft): number => share.amount - before

/** So much of these shares, the first first; null if they have less. */
function take(units: number, from: readonly ShareLeft[]): readonly Taken[] | null {
  let missing = units
  const taken = from.map((each) => {
    const now = Math.min(missing, left(each))
    missing -= now
    return { ...each, now }
  })
  return missing === 0 ? taken.filter(({ now }) => now > 0) : null
}

function takeByDetails({ refundDetails = [] }: WantedRefund, all: readonly ShareLeft[]): readonly Taken[] | Refusal {
  const taken: Taken[] = []
  for (const { receiverType, receiverIdentifier, amount } of refundDetails) {
    const sought = receiverIdentifier.toLowerCase()
    const own = all.filter(
      ({ share }) => share.receiver_type === receiverType && share.receiver.toLowerCase() === sought,
    )
    const from = take(Number(unitsOf(amount) ?? 0n), own)
    const why = own.length === 0 ? 'is no receiver of this order' : 'has less of this order left'
    if (!from || own.length === 0) return { code: 6096, message: `refundDetails ${receiverIdentifier} ${why}` }
    taken.push(...from)
  }
  return taken
}

/** The sum that each receiver gives back, or the reason why that cannot be. */
function divide(wanted: WantedRefund, all: readonly ShareLeft[]): readonly Taken[] | Refusal {
  const rest = all.reduce((sum, each) => sum + left(each), 0)
  const units = wanted.amount === undefined ? rest : Number(unitsOf(wanted.amount) ?? 0n)
  if (units > rest || units === 0)
    return { code: 6007, message: `amount is out of range: ${money(rest)} can be refunded` }
  if (wanted.refundDetails !== undefined) return takeByDetails(wanted, all)
  const isSplit = all.filter(({ share }) => share.tip === 0).length > 1
  if (isSplit && units < rest) {
    return { code: 6094, message: 'A partial refund of a split order needs refundDetails' }
  }
  return take(units, all) ?? []
}

interface Debit {
  readonly share: ShareRow
  readonly units: number
}

/**
 * The refunded parts in the currency that the receiver got. Recorded is that the receiver gives back what the payer paid: its
 * commission is not returned (service.md#seen-since).
 */
async function debitsFor(db: SandboxReader, order: OrderRow, taken: readonly Taken[]): Promise<readonly Debit[]> {
  const credits = await credited(db, order)
  const { currency, distribution_currency, recorded } = order
  return taken.map(({ share, before, now }) => {
    const amount = BigInt(share.amount)
    const whole = recorded === 1 ? convert(amount, currency, distribution_currency, 'down') : null
    const posted = whole ?? BigInt(credits.get(share.position) ?? 0)
    return { share, units: Number(backOf(posted, amount, BigInt(before), BigInt(now))) }
  })
}

async function uncovered(
  db: SandboxReader,
  order: OrderRow,
  debits: readonly Debit[],
  { outsideGivesBack }: Switches,
): Promise<Refusal | null> {
  for (const { share, units } of debits) {
    const receiver = await findReceiver(db, share.receiver_type, share.receiver)
    // An account outside: its balance is not known.
    if (!receiver && (outsideGivesBack || share.receiver_type !== 'IBAN')) continue
    const received = await receivedBy(db, share.receiver, order.distribution_currency)
    const opening = receiver?.opening ?? null
    const balance = opening === null ? 0 : Number(opening) + received
    if (units > balance) return { code: 6130, message: 'The balance of the merchant is too low for the refund' }
  }
  return null
}

async function write(
  db: SandboxWriter,
  order: OrderRow,
  { initiator, now }: WantedRefund,
  taken: readonly Taken[],
  debits: readonly Debit[],
): Promise<KeptRefund> {
  const { order_id } = order
  const refund = await addRefund(db, {
    order_id,
    amount: taken.reduce((sum, each) => sum + each.now, 0),
    initiator,
    status: 'REQUESTED',
    due: now + refundTakes * 1000,
    created: now,
  })
  const { refund_id } = refund
  for (const each of taken) {
    await addRefundPart(db, { refund_id, order_id, position: each.share.position, amount: each.now })
  }
  await postOrder(
    db,
    debits.map(({ share, units }) => ({
      ...{ order_id, charge_id: null, refund_id, position: share.position, receiver: share.receiver },
      ...{ currency: order.distribution_currency, units, kind: 'debit' },
    })),
  )
  return refund
}

/** Reserves a refund of an order that can be refunded, for any initiator; or says why that cannot be. */
export async function requestRefund(
  db: SandboxWriter,
  order: OrderRow,
  wanted: WantedRefund,
  switches: Switches,
): Promise<{ readonly order: OrderRow; readonly refund: KeptRefund } | Refusal> {
  const taken = divide(wanted, order.paid === 0 ? [] : await sharesLeft(db, order))
  if ('code' in taken) return taken
  const debits = await debitsFor(db, order, taken)
  const refusal = await uncovered(db, order, debits, switches)
  if (refusal) return refusal
  const refund = await write(db, order, wanted, taken, debits)
  return { order: await updateOrder(db, order, { status: 'REFUND_REQUESTED' }), refund }
}

type AskedRefund = Entered<typeof refundOrder | typeof refundOrderFirst, Integrator>

async function refundAsked(
  db: SandboxWriter,
  { request, integrator, now, around }: AskedRefund,
): Promise<HandlerOutcome> {
  const { integratorOrderId, refundInitiator: initiator = 'INTEGRATOR', amount, refundDetails } = request
  const order = await findOrder(db, integrator.identifier, integratorOrderId.toLowerCase())
  if (!order) return { kind: 'refused', refusal: unknownOrder }
  if (!refundable.includes(order.status)) return notInState(order, 'refunded')
  const asked = { ...(amount === undefined ? {} : { amount }), refundDetails, initiator, now }
  const requested = await requestRefund(db, order, asked, around.switches)
  if ('code' in requested) return { kind: 'refused', refusal: requested }
  return { kind: 'value', value: { integratorOrderId, status: requested.order.status } }
}

/** The first version as it was recorded: it says in a success why it did nothing (service.md#seen-since). */
async function refundAskedFirst(db: SandboxWriter, asked: AskedRefund): Promise<HandlerOutcome> {
  const { integratorOrderId, amount } = asked.request
  const order = await findOrder(db, asked.integrator.identifier, integratorOrderId.toLowerCase())
  if (!order || asked.around.shape === 'documented') return await refundAsked(db, asked)
  if (!refundable.includes(order.status)) {
    const isWhole = stageOf(order) === 'refunded'
    const errorMessage = isWhole
      ? 'Order is already fully refunded'
      : `You can't refund order with status: ${order.status}`
    return { kind: 'value', value: { integratorOrderId, status: order.status, errorMessage }, executed: false }
  }
  // After a part went back, a refund of the whole is taken, and nothing moves.
  const isOfNothing = order.status === 'PARTIALLY_REFUNDED' && amount === undefined
  if (isOfNothing)
    return { kind: 'value', value: { integratorOrderId, status: 'REFUND_REQUESTED', errorMessage: null } }
  const outcome = await refundAsked(db, asked)
  return outcome.kind === 'value' ? { ...outcome, value: { ...outcome.value, errorMessage: null } } : outcome
}

export const refundRoutes: readonly Route[] = [
  sealedWrite(refundOrder, refundAsked),
  sealedWrite(refundOrderFirst, refundAskedFirst),
]
