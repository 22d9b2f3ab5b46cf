/**
 * Callbacks are written down in the transaction of the move that causes them, sealed there and then: be the move made by
 * a server, a command or a later read, the callback exists if and only if the move does. Sent they are by a courier.
 */
import { seal } from '../../envelope/envelope.ts'
import { writeMembers } from '../../envelope/layout.ts'
import { Failure } from '../../failure.ts'
import { writeJson } from '../../json.ts'
import { addCallback, addCallbackAttempt, callbackForm, type NewSentCallback } from '../../store/sandbox/callbacks.ts'
import type { OrderRow, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { findKeyPairs } from '../../store/sandbox/world.ts'
import { publicKeyOf } from '../access/key-ring.ts'
import type { SandboxEvents } from '../events.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { type Integrator, integratorOf } from '../world/integrator.ts'
import { neverCalled } from './host.ts'
import { chargePayload, inBrief, type Payload, paymentPayload } from './payload.ts'

interface Written {
  readonly plain: string
  readonly body: string
  readonly sealed: 0 | 1
  /** The reason why it cannot be sent as it should be. */
  readonly why: string | null
}

/** Sealed to the integrator as answers are: without an identifier. */
async function sealedTo(db: SandboxReader, { owner, scheme }: Integrator, payload: Payload): Promise<Written> {
  const [pair] = await findKeyPairs(db, [owner])
  let why = 'not sent: the integrator has no keys'
  // The content of a callback that is too long for one RSA block is not known; here it keeps the token, the point of saving a
  // card.
  for (const each of pair ? [payload, inBrief(payload)] : []) {
    const plain = writeJson(each)
    try {
      const body = writeJson(writeMembers(seal(plain, { key: publicKeyOf(pair?.public_key ?? ''), scheme })))
      return { plain, body, sealed: 1, why: null }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      why = `not sent: ${error.message}`
    }
  }
  return { plain: writeJson(payload), body: '', sealed: 1, why }
}

async function writtenFor(db: SandboxReader, integrator: Integrator, payload: Payload): Promise<Written> {
  if ((await callbackForm(db)) === 'sealed') return await sealedTo(db, integrator, payload)
  const plain = writeJson(payload)
  return { plain, body: plain, sealed: 0, why: null }
}

type Ready = Omit<NewSentCallback, 'state' | 'due'>

/** Writes one down: to be sent at once, or given up where it can never be. */
export async function queue(db: SandboxWriter, ready: Ready, why: string | null = null): Promise<number> {
  const never = why ?? neverCalled(ready.url)
  if (never === null) return await addCallback(db, { ...ready, state: 'waiting', due: ready.created })
  const callback_id = await addCallback(db, { ...ready, state: 'given-up', due: null })
  await addCallbackAttempt(db, {
    callback_id,
    number: 1,
    time: ready.created,
    http: null,
    why: never,
    milliseconds: 0,
    reply: null,
  })
  return callback_id
}

interface Told extends Pick<Ready, 'kind' | 'created'> {
  readonly order: OrderRow
  readonly payload: Payload
  /** The target; the order's address if not given. */
  readonly url?: string | undefined
  readonly note?: string
}

/** Writes a payload down for an order's address. */
export async function tell(db: SandboxWriter, { order, payload, url, kind, created, note }: Told): Promise<void> {
  const integrator = integratorOf(order.integrator_id)
  if (!integrator) return
  const { why, ...written } = await writtenFor(db, integrator, payload)
  const { order_id, integrator_id } = order
  const address = url ?? orderRequest(order).callbackUri ?? integrator.defaults.callbackUri
  await queue(db, { order_id, integrator_id, kind, url: address, ...written, created, note: note ?? null }, why)
}

/** The payment of an order is complete. An order that only ended unpaid causes no callback. */
export async function tellPayment(
  db: SandboxWriter,
  { order, status, at }: SandboxEvents['payment-ended'],
): Promise<void> {
  await tell(db, { order, payload: await paymentPayload(db, order, status), kind: 'payment', created: at })
}

/** A charge of a plan has ended. Its address is the plan's, else the order's (service.md#orders). */
export async function tellCharge(
  db: SandboxWriter,
  { order, subscription, charge, switches }: SandboxEvents['charge-ended'],
): Promise<void> {
  const payload = chargePayload(subscription, charge.id, charge.status)
  const ofPlan = orderRequest(order).subscriptionPlan?.callbackUrl
  const url = ofPlan ?? (switches.plansTellOrder ? undefined : integratorOf(order.integrator_id)?.defaults.callbackUri)
  await tell(db, { order, payload, url, kind: 'subscription', created: charge.at })
}
