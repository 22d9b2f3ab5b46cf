/**
 * Refund, both versions (service.md#refunds): decided and reserved in one transaction, ended by the clock. The receivers' money
 * leaves their balances at once, so that two refunds cannot spend it twice; the payer has it when the refund is done. Without
 * details the order's own receiver gives first, then the others, the tip last.
 */

import { outsideGivesBack, refundTakes } from '../../../contract/assumed.ts'
import { unitsOf } from '../../../contract/core/rules.ts'
import type { RequestOf } from '../../../contract/operation.ts'
import { refundOrder, refundOrderFirst } from '../../../contract/order/refund.ts'
import { postOrder, receivedBy, refundPartsOf } from '../../../store/sandbox/orders.ts'
import { addRow, addRows, changeRows, dueRows, findRow, listRows, updateOrder } from '../../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader, SandboxWriter } from '../../../store/sandbox/schema.ts'
import { type CheckedRequest, orderRoute } from '../../access/sealed.ts'
import { findReceiver, type Integrator } from '../../accounts/fixtures.ts'
import type { Route } from '../../handler.ts'
import { money } from '../../ledger.ts'
import { type Answer, refuse } from '../../shape.ts'
import { convert, refundedPart } from './money.ts'
import { refuseInState, stageOf } from './payment.ts'
import { findOrder, knownOrder } from './read.ts'

type Refund = Row<'refunds'>

// The end of a refund: soon after the request by the clock, or at once where it is told to fail.

/** The payer has the money: all of it makes the order refunded by the last initiator, less makes it partly so. */
export async function finishRefund(db: SandboxWriter, order: OrderRow, refund: Refund): Promise<OrderRow> {
  const { order_id, acquired, paid, acquiring_currency: currency } = order
  const { refund_id, amount, initiator } = refund
  const done = await listRows(db, 'refunds', { order_id, status: 'DONE' })
  const before = done.reduce((sum, each) => sum + each.amount, 0)
  await changeRows(db, 'refunds', { refund_id }, { status: 'DONE', due: null })
  const units = Number(refundedPart(BigInt(acquired), BigInt(paid), BigInt(before), BigInt(amount)))
  const ofPayer = { charge_id: null, position: null, receiver: null }
  await postOrder(db, [{ ...ofPayer, order_id, refund_id, currency, units, kind: 'refund' }])
  return await updateOrder(db, order, {
    status: before + amount === paid ? `REFUNDED_BY_${initiator}` : 'PARTIALLY_REFUNDED',
  })
}

/** The payer's bank said no: what the receivers gave is theirs again. */
export async function failRefund(db: SandboxWriter, order: OrderRow, { refund_id }: Refund): Promise<OrderRow> {
  await changeRows(db, 'refunds', { refund_id }, { status: 'FAILED', due: null })
  const given = await listRows(db, 'order_postings', { order_id: order.order_id, refund_id, kind: 'debit' })
  await postOrder(
    db,
    given.map((posting) => ({ ...posting, kind: 'return' })),
  )
  return await updateOrder(db, order, { status: 'REFUNDED_FAILED' })
}

export async function advanceRefunds(db: SandboxWriter, now: number): Promise<void> {
  for (const refund of await dueRows(db, 'refunds', now)) {
    const order = await findRow(db, 'orders', { order_id: refund.order_id })
    if (order) await finishRefund(db, order, refund)
  }
}

/** A refund that is asked for: all that is left where no amount is named. */
interface WantedRefund extends Pick<RequestOf<typeof refundOrder>, 'refundDetails'> {
  readonly amount?: string
  readonly initiator: string
  readonly now: number
}

export const refundable = ['SUCCESS', 'PARTIALLY_REFUNDED', 'REFUNDED_FAILED']

/** A share, and how much of it went back before. */
interface ShareLeft {
  readonly share: Row<'shares'>
  readonly before: number
}

interface ShareTaken extends ShareLeft {
  readonly now: number
}

async function sharesLeft(db: SandboxReader, { order_id }: OrderRow): Promise<readonly ShareLeft[]> {
  const parts = await refundPartsOf(db, order_id)
  return (await listRows(db, 'shares', { order_id })).map((share) => ({
    share,
    before: parts.filter(({ position }) => position === share.position).reduce((sum, { amount }) => sum + amount, 0),
  }))
}

const amountLeft = ({ share, before }: ShareLeft): number => share.amount - before

/** So much of these shares, the first first; null if they have less. */
function take(units: number, from: readonly ShareLeft[]): readonly ShareTaken[] | null {
  let missing = units
  const taken = from.map((each) => {
    const now = Math.min(missing, amountLeft(each))
    missing -= now
    return { ...each, now }
  })
  return missing === 0 ? taken.filter(({ now }) => now > 0) : null
}

function takeByDetails({ refundDetails = [] }: WantedRefund, all: readonly ShareLeft[]): readonly ShareTaken[] {
  return refundDetails.flatMap(({ receiverType, receiverIdentifier, amount }) => {
    const sought = receiverIdentifier.toLowerCase()
    const own = all.filter(
      ({ share }) => share.receiver_type === receiverType && share.receiver.toLowerCase() === sought,
    )
    if (own.length === 0) refuse(6096, `refundDetails ${receiverIdentifier} is no receiver of this order`)
    const taken = take(Number(unitsOf(amount) ?? 0n), own)
    return taken ?? refuse(6096, `refundDetails ${receiverIdentifier} has less of this order left`)
  })
}

/** The sum that each receiver gives back. */
function divide(wanted: WantedRefund, all: readonly ShareLeft[]): readonly ShareTaken[] {
  const rest = all.reduce((sum, each) => sum + amountLeft(each), 0)
  const units = wanted.amount === undefined ? rest : Number(unitsOf(wanted.amount) ?? 0n)
  if (units > rest || units === 0) refuse(6007, `amount is out of range: ${money(rest)} can be refunded`)
  if (wanted.refundDetails !== undefined) return takeByDetails(wanted, all)
  const isSplit = all.filter(({ share }) => share.tip === 0).length > 1
  if (isSplit && units < rest) refuse(6094, 'A partial refund of a split order needs refundDetails')
  return take(units, all) ?? []
}

interface Debit {
  readonly share: Row<'shares'>
  readonly units: number
}

/**
 * The refunded parts in the currency that the receiver got. Recorded is that the receiver gives back what the payer paid: its
 * commission is not returned (service.md#seen-since). Charges of a plan are left out: they are no payment of the order.
 */
async function debitsFor(db: SandboxReader, order: OrderRow, taken: readonly ShareTaken[]): Promise<readonly Debit[]> {
  const { order_id, currency, distribution_currency, recorded } = order
  const postings = await listRows(db, 'order_postings', { order_id, kind: 'credit' })
  const credits = postings.filter(({ charge_id }) => charge_id === null)
  return taken.map(({ share, before, now }) => {
    const amount = BigInt(share.amount)
    const whole = recorded === 1 ? convert(amount, currency, distribution_currency, 'down') : null
    const posted = whole ?? BigInt(credits.find(({ position }) => position === share.position)?.units ?? 0)
    return { share, units: Number(refundedPart(posted, amount, BigInt(before), BigInt(now))) }
  })
}

/** Refuses what a receiver's balance does not cover. */
async function mustBeCovered(db: SandboxReader, order: OrderRow, debits: readonly Debit[]): Promise<void> {
  for (const { share, units } of debits) {
    const receiver = await findReceiver(db, share.receiver_type, share.receiver)
    // An account outside: its balance is not known.
    if (!receiver && (outsideGivesBack || share.receiver_type !== 'IBAN')) continue
    const received = await receivedBy(db, share.receiver, order.distribution_currency)
    const opening = receiver?.opening ?? null
    const balance = opening === null ? 0 : Number(opening) + received
    if (units > balance) refuse(6130, 'The balance of the merchant is too low for the refund')
  }
}

/** Reserves a refund of an order that can be refunded, for any initiator; refuses one that cannot be. */
export async function requestRefund(
  db: SandboxWriter,
  order: OrderRow,
  wanted: WantedRefund,
): Promise<{ readonly order: OrderRow; readonly refund: Refund }> {
  const { order_id, distribution_currency: currency } = order
  const { initiator, now } = wanted
  const taken = divide(wanted, order.paid === 0 ? [] : await sharesLeft(db, order))
  const debits = await debitsFor(db, order, taken)
  await mustBeCovered(db, order, debits)
  const amount = taken.reduce((sum, each) => sum + each.now, 0)
  const due = now + refundTakes * 1000
  const refund = await addRow(db, 'refunds', { order_id, amount, initiator, status: 'REQUESTED', due, created: now })
  const { refund_id } = refund
  const parts = taken.map(({ share: { position }, now: part }) => ({ refund_id, order_id, position, amount: part }))
  await addRows(db, 'refund_parts', parts)
  await postOrder(
    db,
    debits.map(({ share: { position, receiver }, units }) => ({
      ...{ order_id, charge_id: null, refund_id, position, receiver, currency, units, kind: 'debit' },
    })),
  )
  return { order: await updateOrder(db, order, { status: 'REFUND_REQUESTED' }), refund }
}

type AskedRefund = CheckedRequest<typeof refundOrder | typeof refundOrderFirst, Integrator>

async function refundAsked(db: SandboxWriter, { request, integrator, now }: AskedRefund) {
  const { integratorOrderId, refundInitiator: initiator = 'INTEGRATOR', amount, refundDetails } = request
  const order = await knownOrder(db, integrator, integratorOrderId)
  if (!refundable.includes(order.status)) refuseInState(order, 'refunded')
  const asked = { ...(amount === undefined ? {} : { amount }), refundDetails, initiator, now }
  const requested = await requestRefund(db, order, asked)
  return { integratorOrderId, status: requested.order.status }
}

/** The first version as it was recorded: it says in a success why it did nothing (service.md#seen-since). */
async function refundAskedFirst(db: SandboxWriter, asked: AskedRefund): Promise<Answer> {
  const { request, integrator, context } = asked
  const { integratorOrderId, amount } = request
  const order = await findOrder(db, integrator, integratorOrderId)
  if (!order || context.shape === 'documented') return await refundAsked(db, asked)
  const { status } = order
  if (!refundable.includes(status)) {
    const isWhole = stageOf(order) === 'refunded'
    const errorMessage = isWhole ? 'Order is already fully refunded' : `You can't refund order with status: ${status}`
    context.record({ executed: false })
    return { integratorOrderId, status, errorMessage }
  }
  // After a part went back, a refund of the whole is taken, and nothing moves.
  const isOfNothing = status === 'PARTIALLY_REFUNDED' && amount === undefined
  if (isOfNothing) return { integratorOrderId, status: 'REFUND_REQUESTED', errorMessage: null }
  return { ...(await refundAsked(db, asked)), errorMessage: null }
}

export const refundRoutes: readonly Route[] = [
  orderRoute(refundOrder, refundAsked),
  orderRoute(refundOrderFirst, refundAskedFirst),
]
