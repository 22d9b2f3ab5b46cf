/**
 * C1: a wallet order from a QR address. A receiver that cannot be paid is no error but a REJECTED order with its reason; its
 * uniqueId is used up like any other (assumed: `rejectedUsesIdUp`).
 */
import { walletLifetime, walletLimits } from '../../contract/assumed.ts'
import { minorUnits } from '../../contract/core/decimal.ts'
import { createWalletOrder } from '../../contract/wallet/wallet.ts'
import type { SandboxReader, SandboxWriter, WalletOrderRow } from '../../store/sandbox/schema.ts'
import { addWalletOrder, findWalletOrder, replaceWalletOrder } from '../../store/sandbox/wallet.ts'
import { type Entered, walletWrite } from '../access/entry.ts'
import { type HandlerOutcome, refused } from '../shape.ts'
import type { Sealer } from '../world/integrator.ts'
import { money } from '../world/money.ts'
import { findReceiver, type Receiver } from '../world/receiver.ts'
import { readQrAddress } from './qr-address.ts'
import { keptUniqueId } from './unique-id.ts'

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
function answered(uniqueId: string, order: WalletOrderRow, receiver: Receiver | null) {
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

type Asked = Entered<typeof createForAnyAddress, Sealer>

async function create(db: SandboxWriter, { request, integrator, now, around }: Asked): Promise<HandlerOutcome> {
  const { uniqueId, uri } = request
  const { identifier } = integrator
  const key = keptUniqueId(uniqueId)
  const before = await findWalletOrder(db, identifier, key)
  if (before && (before.status !== 'REJECTED' || around.switches.rejectedUsesIdUp)) {
    return refused(createWalletOrder.breachCode, 'uniqueId exists already')
  }
  const { receiver, amount, rejectReason } = await lookUp(db, uri)
  const isOpen = rejectReason === null && amount === null
  const order: WalletOrderRow = {
    identifier,
    unique_id: key,
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
  }
  await (before ? replaceWalletOrder(db, order) : addWalletOrder(db, order))
  return { kind: 'value', value: answered(uniqueId, order, receiver), executed: rejectReason === null }
}

export const createWalletRoute = walletWrite(createForAnyAddress, create, createWalletOrder)
