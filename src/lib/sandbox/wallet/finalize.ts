/**
 * C2: only here money moves. The checks in their order (service.md#wallet): finalised already, never created or over, the
 * amount, the receiver's limit. None of them changes the order, so that a correct finalize may follow. A sum that can never
 * be right, such as 0 or 0.001, is told in its turn like any other; only what is no number is an error.
 */
import { z } from 'zod'
import { JsonNumber, minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import { field } from '../../contract/core/field.ts'
import { dayAtService } from '../../contract/date.ts'
import type { WalletResult } from '../../contract/wallet/status.ts'
import { finalization, finalizeWalletOrder } from '../../contract/wallet/wallet.ts'
import type { SandboxReader, SandboxWriter, WalletOrderRow } from '../../store/sandbox/schema.ts'
import { changeWalletOrder, findWalletOrder, postWallet, walletSum } from '../../store/sandbox/wallet.ts'
import { type Entered, walletWrite } from '../access/entry.ts'
import { startOfDay } from '../clock/clock.ts'
import type { HandlerOutcome } from '../shape.ts'
import type { Sealer } from '../world/integrator.ts'
import { largestSum } from '../world/money.ts'
import { dailyLimitOf } from '../world/receiver.ts'
import { keptUniqueId } from './unique-id.ts'

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
export function isPastDeadline(order: WalletOrderRow, now: number): boolean {
  return now >= order.expires
}

async function resultOf(
  db: SandboxReader,
  order: WalletOrderRow | null,
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
  { request, integrator, now }: Entered<typeof finalizeAnySum, Sealer>,
): Promise<HandlerOutcome> {
  const { uniqueId, amount } = request
  const units = unitsIn(amount)
  const order = await findWalletOrder(db, integrator.identifier, keptUniqueId(uniqueId))
  const status = await resultOf(db, order, units, now)
  if (status === 'SUCCESS' && order?.receiver_id && units !== null) {
    const { identifier, unique_id, receiver_id } = order
    await postWallet(db, { identifier, unique_id, receiver_id, units, time: now })
    await changeWalletOrder(db, order, { status: 'SUCCESS', finalised: now })
  }
  return { kind: 'value', value: { uniqueId, status }, executed: status === 'SUCCESS' }
}

export const finalizeRoute = walletWrite(finalizeAnySum, finalize, finalizeWalletOrder)
