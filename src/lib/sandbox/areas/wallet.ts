/** Bank-wallet orders (area C): create from a QR address, finalize, delete, details, the ledger. */
import { z } from 'zod'
import {
  deletedWalletStatus,
  rejectedUsesIdUp,
  undeletableBreach,
  walletCurrency,
  walletLifetime,
  walletLimits,
} from '../../contract/assumed.ts'
import { fromMinorUnits, JsonNumber, minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import { field } from '../../contract/core/field.ts'
import { dayAtService } from '../../contract/date.ts'
import { type WalletResult, type WalletStatus, walletStatuses } from '../../contract/wallet/status.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalization,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../contract/wallet/wallet.ts'
import { jsonAmount, oneWordOf, type ResultOf, uuidText } from '../../result.ts'
import { walletSum } from '../../store/sandbox/orders.ts'
import { addRow, changeRows, findRow, listRows, removeRows } from '../../store/sandbox/rows.ts'
import type { Row, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { type CheckedRequest, walletRoute } from '../access/sealed.ts'
import { dailyLimitOf, findReceiver, fixtureId, type Receiver, type Sealer } from '../accounts/fixtures.ts'
import { localMoment, sandboxMoment, startOfDay } from '../clock.ts'
import type { Route } from '../handler.ts'
import { largestSum, money } from '../ledger.ts'
import { type Answer, refuse } from '../shape.ts'

type WalletOrder = Row<'wallet_orders'>

/** A wallet order's id as the store keeps it: any text, and a UUID in capitals is the same one (service.md#wallet). */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The columns by which a wallet order is found. */
function keyOf(identifier: string, uniqueId: string) {
  return { identifier, unique_id: uuid.test(uniqueId) ? uniqueId.toLowerCase() : uniqueId }
}

const keyOfOrder = ({ identifier, unique_id }: WalletOrder) => ({ identifier, unique_id })

async function findOrder(db: SandboxReader, { identifier }: Sealer, uniqueId: string): Promise<WalletOrder | null> {
  return await findRow(db, 'wallet_orders', keyOf(identifier, uniqueId))
}

// C2: only here money moves. The checks in their order (service.md#wallet): finalised already, never created or over,
// the amount, the receiver's limit. None of them changes the order, so that a correct finalize may follow. A sum that
// can never be right, such as 0 or 0.001, is told in its turn like any other; only what is no number is an error.

const day = 24 * 3_600_000

const anyNumber = z
  .union([z.string(), z.instanceof(JsonNumber)], { error: 'must be a number' })
  .refine((amount) => amount instanceof JsonNumber || plainDecimal(amount) !== null, { error: 'must be a number' })

/** As the service takes it. The desk sends no such sums. */
const finalizeAnySum = {
  ...finalizeWalletOrder,
  request: finalization.extend({ amount: field(anyNumber, { help: 'how much to pay', json: 'number' }) }),
}

/** A receiver's limit is a sum per day of the service's calendar: midnight raises it again (assumed). */
async function isBeyondLimit(db: SandboxReader, receiverId: string, units: number, now: number): Promise<boolean> {
  const midnight = startOfDay(dayAtService(now))
  return BigInt((await walletSum(db, receiverId, midnight, midnight + day)) + units) > dailyLimitOf(receiverId)
}

/** Expired at the very end of its five minutes. */
function isPastDeadline(order: WalletOrder, now: number): boolean {
  return now >= order.expires
}

async function resultOf(
  db: SandboxReader,
  order: WalletOrder | null,
  units: number | null,
  now: number,
): Promise<WalletResult> {
  if (order?.status === 'SUCCESS') return 'ALREADY_FINALISED'
  if (order?.status !== 'REGISTERED' || isPastDeadline(order, now) || order.receiver_id === null)
    return 'ORDER_NOT_FOUND'
  const { amount, minimum, maximum, receiver_id } = order
  if (amount !== null && units !== amount) return 'WRONG_AMOUNT'
  if (units === null || units < (minimum ?? units) || units > (maximum ?? units)) return 'AMOUNT_NOT_IN_RANGE'
  return (await isBeyondLimit(db, receiver_id, units, now)) ? 'RECEIVER_REACHED_LIMIT' : 'SUCCESS'
}

/** Minor units; null for a number that is no sum: below 0, with a third decimal, beyond all measure. */
function unitsIn(amount: string | JsonNumber): number | null {
  const units = minorUnits(plainDecimal(String(amount)) ?? '')
  return units === null || units > largestSum ? null : Number(units)
}

async function finalize(
  db: SandboxWriter,
  { request, integrator, now, context }: CheckedRequest<typeof finalizeAnySum, Sealer>,
): Promise<Answer> {
  const { uniqueId, amount } = request
  const units = unitsIn(amount)
  const order = await findOrder(db, integrator, uniqueId)
  const status = await resultOf(db, order, units, now)
  const executed = status === 'SUCCESS'
  if (executed && order?.receiver_id && units !== null) {
    await addRow(db, 'wallet_postings', { ...keyOfOrder(order), receiver_id: order.receiver_id, units, time: now })
    await changeRows(db, 'wallet_orders', keyOfOrder(order), { status, finalised: now })
  }
  context.record({ executed })
  return { uniqueId, status }
}

const finalizeRoute = walletRoute(finalizeAnySum, finalize, finalizeWalletOrder)

// C3 and C4: delete and details. Deleting answers CANCELED (assumed). An order that is no longer REGISTERED, a
// deleted or expired one among them, is not deleted again: 6110, the only code of this area that speaks of an order's
// end (assumed).

async function knownOrder(db: SandboxReader, integrator: Sealer, uniqueId: string): Promise<WalletOrder> {
  const order = await findOrder(db, integrator, uniqueId)
  return order ?? refuse(6045, 'Third-party order not found: this integrator has no order of this uniqueId')
}

const cancelWalletRoute = walletRoute(cancelWalletOrder, async (db, { request, integrator, now }) => {
  const { uniqueId } = request
  const order = await knownOrder(db, integrator, uniqueId)
  if (order.status !== 'REGISTERED' || isPastDeadline(order, now)) {
    refuse(undeletableBreach, `The order cannot be deleted: it is ${shownStatusOf(order, now)}`)
  }
  await changeRows(db, 'wallet_orders', keyOfOrder(order), { status: deletedWalletStatus })
  return { uniqueId, status: deletedWalletStatus }
})

/** The status in the details: rejected, deleted and expired orders all read FAILED (service.md#wallet). */
function shownStatusOf(order: WalletOrder, now: number): WalletStatus {
  if (order.status === 'SUCCESS') return 'SUCCESS'
  return order.status === 'REGISTERED' && !isPastDeadline(order, now) ? 'REGISTERED' : 'FAILED'
}

const walletDetailsRoute = walletRoute(walletOrderDetails, async (db, { request, integrator, now }) => {
  const { uniqueId } = request
  const order = await knownOrder(db, integrator, uniqueId)
  // The sum that was paid, else the one that is due; null while the payer has the choice.
  const amount = order.paid ?? order.amount
  return {
    uniqueId,
    ...(amount === null ? {} : { amount: money(amount) }),
    status: shownStatusOf(order, now),
    createdAt: localMoment(order.created),
    ...(order.finalised === null ? {} : { finalisedAt: localMoment(order.finalised) }),
  }
})

// The addresses in payment QR codes (service.md#wallet): what one asks for, and those that the sandbox has printed.

/** The address that a wallet integrator read from a QR code. Amounts in minor units. */
interface QrAddress {
  readonly receiverType: string
  readonly receiverId: string
  /** Fixed by the code or by the product it names; null: the payer chooses. */
  readonly amount: bigint | null
}

/** The products that a CUSTOM code may name. */
const products: Readonly<Record<string, string>> = { 'espresso-2': '7.50', 'monthly-pass': '40.00' }

/** Reads an address, or tells in words why it cannot be paid. */
export function readQrAddress(uri: string): QrAddress | string {
  if (!URL.canParse(uri)) return 'the QR address is no address'
  const asked = new URL(uri).searchParams
  const type = asked.get('qrType')
  const receiverType = asked.get('receiverType') ?? ''
  const receiverId = asked.get('receiverId') ?? ''
  if (receiverType === '' || receiverId === '') return 'the QR address names no receiver'
  if (type === 'DEFAULT') return { receiverType, receiverId, amount: null }
  if (type === 'REQUEST') {
    const amount = minorUnits(asked.get('amount') ?? '')
    if (amount === null || amount === 0n) return 'the QR address requests no amount'
    if (amount > largestSum) return 'the QR address requests too much'
    if (asked.get('currency') !== walletCurrency)
      return `the QR address requests another currency than ${walletCurrency}`
    return { receiverType, receiverId, amount }
  }
  if (type !== 'CUSTOM') return 'the QR address is of no known qrType'
  const product = asked.get('productId') ?? ''
  const price = Object.hasOwn(products, product) ? minorUnits(products[product] ?? '') : null
  return price === null ? 'the QR address names an unknown product' : { receiverType, receiverId, amount: price }
}

type PrintedQrAddress = ResultOf<typeof qrAddressResult>

function printQrAddress(what: string, query: Readonly<Record<string, string>>): PrintedQrAddress {
  const uri = `https://pay.example/pay?${new URLSearchParams(query)}`
  const read = readQrAddress(uri)
  const amount = typeof read === 'string' || read.amount === null ? null : fromMinorUnits(read.amount)
  return { uri, amount: amount === null ? null : new JsonNumber(amount), what }
}

const toUser = (number: string) => ({ receiverType: 'USER', receiverId: fixtureId(number) })
const toBranch = (number: string) => ({ receiverType: 'BRANCH', receiverId: fixtureId(number) })
const open = { qrType: 'DEFAULT' }
const requested = (amount: string) => ({ qrType: 'REQUEST', amount, currency: walletCurrency })
const ofProduct = (productId: string) => ({ qrType: 'CUSTOM', productId })

export const qrAddresses: readonly PrintedQrAddress[] = [
  printQrAddress('the payer chooses the amount', { ...open, ...toUser('321') }),
  printQrAddress('the payer chooses the amount, to a branch', { ...open, ...toBranch('322') }),
  printQrAddress('a requested amount', { ...requested('25.00'), ...toUser('321') }),
  printQrAddress('a product, its price known to the service', { ...ofProduct('espresso-2'), ...toBranch('322') }),
  printQrAddress('to a branch at its limit', { ...open, ...toBranch('323') }),
  printQrAddress('to a user at its limit', { ...requested('5.00'), ...toUser('324') }),
  printQrAddress('to a user who may receive 100.00 a day', { ...open, ...toUser('325') }),
  printQrAddress('to a blocked user: REJECTED', { ...open, ...toUser('326') }),
  printQrAddress('to nobody: REJECTED', { ...open, ...toUser('399') }),
]

// C1: a wallet order from a QR address. A receiver that cannot be paid is no error but a REJECTED order with its
// reason; its uniqueId is used up like any other (assumed: `rejectedUsesIdUp`).

interface Found {
  readonly receiver: Receiver | null
  readonly amount: bigint | null
  readonly rejectReason: string | null
}

async function lookUp(db: SandboxReader, uri: string): Promise<Found> {
  const address = readQrAddress(uri)
  if (typeof address === 'string') return { receiver: null, amount: null, rejectReason: address }
  const { amount, receiverType, receiverId } = address
  const receiver = await findReceiver(db, receiverType, receiverId)
  const why = receiver ? (receiver.blocked ? 'the receiver is blocked' : null) : 'the receiver is not known'
  return { receiver, amount, rejectReason: why }
}

const units = (amount: string): number => Number(minorUnits(amount) ?? 0n)

/** The answer of creation: the range only where no amount is fixed, the reason only where it was rejected. */
function creationAnswer(uniqueId: string, order: Row<'wallet_orders'>, receiver: Receiver | null): Answer {
  const { amount, minimum, maximum, status, reject_reason } = order
  return {
    uniqueId,
    ...(amount === null ? {} : { amount: money(amount) }),
    ...(receiver === null ? {} : { receiverName: receiver.name }),
    status,
    ...(minimum === null || maximum === null
      ? {}
      : { minAmountAllowed: money(minimum), maxAmountAllowed: money(maximum) }),
    ...(reject_reason === null ? {} : { rejectReason: reject_reason }),
  }
}

/** An address that names nobody is REJECTED, and no breach. */
const createForAnyAddress = { ...createWalletOrder, rules: [] } as const

type Asked = CheckedRequest<typeof createForAnyAddress, Sealer>

async function create(db: SandboxWriter, { request, integrator, now, context }: Asked): Promise<Answer> {
  const { uniqueId, uri } = request
  const before = await findOrder(db, integrator, uniqueId)
  if (before && (before.status !== 'REJECTED' || rejectedUsesIdUp)) {
    refuse(createWalletOrder.breachCode, 'uniqueId exists already')
  }
  const { receiver, amount, rejectReason } = await lookUp(db, uri)
  const isOpen = rejectReason === null && amount === null
  if (before) await removeRows(db, 'wallet_orders', keyOfOrder(before))
  const order = await addRow(db, 'wallet_orders', {
    ...keyOf(integrator.identifier, uniqueId),
    uri,
    receiver_id: receiver?.receiverId ?? null,
    amount: amount === null ? null : Number(amount),
    minimum: isOpen ? units(walletLimits.minimum) : null,
    maximum: isOpen ? units(walletLimits.maximum) : null,
    status: rejectReason === null ? 'REGISTERED' : 'REJECTED',
    reject_reason: rejectReason,
    created: now,
    expires: now + walletLifetime * 1000,
    finalised: null,
  })
  context.record({ executed: rejectReason === null })
  return creationAnswer(uniqueId, order, receiver)
}

const createWalletRoute = walletRoute(createForAnyAddress, create, createWalletOrder)

export const walletRoutes: readonly Route[] = [createWalletRoute, finalizeRoute, cancelWalletRoute, walletDetailsRoute]

export type LedgerWalletOrder = ResultOf<typeof ledgerWalletOrderResult>

export function describeWalletOrder(order: WalletOrder, now: number): LedgerWalletOrder {
  const amount = order.paid ?? order.amount
  return {
    uniqueId: order.unique_id,
    identifier: order.identifier,
    status: shownStatusOf(order, now),
    amount: amount === null ? null : money(amount),
    executions: order.executions,
    receiverId: order.receiver_id,
    rejectReason: order.reject_reason,
    createdAt: localMoment(order.created),
    finalisedAt: order.finalised === null ? null : localMoment(order.finalised),
  }
}

export async function walletLedger(db: SandboxReader, now: number): Promise<LedgerWalletOrder[]> {
  return (await listRows(db, 'wallet_orders')).map((order) => describeWalletOrder(order, now))
}

export const ledgerWalletOrderResult = z.strictObject({
  uniqueId: z.string(),
  identifier: uuidText,
  status: oneWordOf(Object.keys(walletStatuses)).describe('As the details tell it.'),
  amount: jsonAmount
    .nullable()
    .describe('What was paid, else what was fixed at creation; null where the payer had the choice.'),
  executions: z.int().min(0).max(1).describe('How often the payment ran.'),
  receiverId: z.string().nullable(),
  rejectReason: z.string().nullable(),
  createdAt: sandboxMoment,
  finalisedAt: z.string().nullable(),
})

export const qrAddressResult = z.strictObject({
  uri: z.string(),
  amount: jsonAmount.nullable().describe('Fixed by the address or its product; null: the payer chooses.'),
  what: z.string(),
})
