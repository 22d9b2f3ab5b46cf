/** Plays callbacks: once more, in the wrong order, or with other content. The order itself stays as it is. */
import { Failure } from '../../failure.ts'
import { callbackById, type KeptCallback, lastCallback } from '../../store/sandbox/callbacks.ts'
import type { OrderRow, SandboxWriter } from '../../store/sandbox/schema.ts'
import { otherOutcome, paymentOutcomeOf } from '../orders/stage.ts'
import { edited, readPayloadEdit } from './edit.ts'
import { paymentPayload } from './payload.ts'
import { queue, tell } from './queue.ts'

export interface PlayedCallback {
  /** The last callback of the order again, to the byte. */
  readonly duplicate?: boolean | undefined
  /** The number of the one that comes again, where it is not the last. */
  readonly which?: number | undefined
  /** The other outcome of the payment, after the true one. */
  readonly outOfOrder?: boolean | undefined
  /** `field=value`, each. */
  readonly set?: readonly string[] | undefined
}

async function meant(
  db: SandboxWriter,
  { order_id }: OrderRow,
  which: number | undefined,
): Promise<KeptCallback | null> {
  if (which === undefined) return await lastCallback(db, order_id)
  const named = await callbackById(db, which)
  if (named?.order_id === order_id) return named
  throw new Failure('not-found', `the order has no callback ${which}`)
}

async function repeat(db: SandboxWriter, order: OrderRow, which: number | undefined, now: number): Promise<void> {
  const last = await meant(db, order, which)
  if (!last) throw new Failure('refused', 'the order has had no callback yet', { status: order.status })
  const { callback_id, order_id, integrator_id, kind, url, plain, body, sealed } = last
  const note = `duplicate of ${callback_id}`
  // One that could not be sealed has no body, and has none the second time.
  const why = body === '' ? `not sent: ${callback_id} could not be sealed` : null
  await queue(db, { order_id, integrator_id, kind, url, plain, body, sealed, created: now, note }, why)
}

/** Throws a Failure: refused (5) where there is nothing to tell yet, usage (2). */
export async function playCallback(
  db: SandboxWriter,
  order: OrderRow,
  played: PlayedCallback,
  now: number,
): Promise<void> {
  const { duplicate = false, outOfOrder = false, set = [] } = played
  if (duplicate && (outOfOrder || set.length > 0)) {
    throw new Failure('usage', 'a duplicate is the same to the byte: neither out of order nor edited')
  }
  const edits = set.map(readPayloadEdit)
  if (duplicate) return await repeat(db, order, played.which, now)
  const outcome = paymentOutcomeOf(order)
  if (outcome === null) {
    throw new Failure('refused', `no payment of the order is complete: it is ${order.status}`, { status: order.status })
  }
  const told = outOfOrder ? otherOutcome(outcome) : outcome
  const payload = edited(await paymentPayload(db, order, told), edits)
  const fields = edits.map(({ path }) => path.join('.')).join(', ')
  const notes = [outOfOrder ? `out of order: it is ${outcome}` : '', fields === '' ? '' : `edited: ${fields}`]
  const note = notes.filter(Boolean).join('; ') || 'sent again'
  await tell(db, { order, payload, kind: 'payment', created: now, note })
}
