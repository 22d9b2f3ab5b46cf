/**
 * The callbacks of a sandbox: their content, how they are written down, how they are played again, how they are
 * listed. A callback is written in the transaction of the move that causes it, so it exists exactly if the move does.
 * The courier sends it.
 */
import { z } from 'zod'
import { plansTellOrder } from '../../contract/assumed.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import { applyEdits, readEdit } from '../../contract/edit.ts'
import { withoutCardTokens } from '../../contract/mask.ts'
import { orderEnd } from '../../contract/order/status.ts'
import { seal } from '../../envelope/envelope.ts'
import { writeMembers } from '../../envelope/layout.ts'
import { Failure } from '../../failure.ts'
import { readJson, writeJson } from '../../json.ts'
import { foreignObject, type ResultOf, uuidText } from '../../result.ts'
import { addRow, findRow, listRows, type NewRow } from '../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { accountOf, type Integrator, integratorOf } from '../accounts/fixtures.ts'
import { publicKeyOf } from '../accounts/keys.ts'
import { localMoment, sandboxMoment } from '../clock.ts'
import { whyNeverCalled } from '../courier.ts'
import { money, orderNameOf, orderRequest } from '../ledger.ts'
import { cardFacts } from './cards.ts'
import { orderNamed } from './orders/read.ts'

type CallbackRow = Row<'callbacks'>

export type Callback = ResultOf<typeof sentCallbacksResult>[number]

export async function describeCallback(db: SandboxReader, callback: CallbackRow): Promise<Callback> {
  const { callback_id, order_id, integrator_id, kind, url, state, note, due } = callback
  return {
    id: String(callback_id),
    integratorOrderId: await orderNameOf(db, order_id),
    integratorId: integrator_id,
    ...{ kind, url, sealed: callback.sealed === 1, state, note },
    payload: withoutCardTokens(readJson(callback.plain)),
    createdAt: localMoment(callback.created),
    nextAttemptAt: due === null ? null : localMoment(due),
    attempts: (await listRows(db, 'callback_attempts', { callback_id })).map(
      ({ number, time, http, why, milliseconds, reply }) => {
        return { number, at: localMoment(time), http, why, milliseconds, reply }
      },
    ),
  }
}

/** The oldest first; of one order only where one is named. Throws Failure('not-found') for an unknown order. */
export async function readCallbacks(db: SandboxReader, order?: string): Promise<Callback[]> {
  const of = order === undefined ? {} : { order_id: (await orderNamed(db, order)).order_id }
  return await Promise.all((await listRows(db, 'callbacks', of)).map((callback) => describeCallback(db, callback)))
}

export async function callbackLedger(db: SandboxReader): Promise<ResultOf<typeof ledgerCallbackResult>[]> {
  return (await readCallbacks(db)).map(({ id, kind, state, integratorOrderId, attempts }) => {
    return { id, kind, state, integratorOrderId, attempts: attempts.length }
  })
}

export type CausedCallback = ResultOf<typeof causedCallback>

/** The callbacks that were caused after the one of this number. */
export async function causedAfter(db: SandboxReader, before: number): Promise<CausedCallback[]> {
  const caused = (await listRows(db, 'callbacks')).filter(({ callback_id }) => callback_id > before)
  const described = caused.map(async ({ callback_id, kind, url, state }) => {
    const attempt = await findRow(db, 'callback_attempts', { callback_id })
    return { id: String(callback_id), kind, url, state, why: attempt?.why ?? null }
  })
  return await Promise.all(described)
}

// The content of a callback (service.md#callbacks), of a payment and of a charge. Amounts are JSON numbers with two
// decimals.

type Payload = Readonly<Record<string, unknown>>

/** The card that the payment saved, its token under the specification's name and under the guide's. */
async function cardInfo(db: SandboxReader, { order_id }: OrderRow): Promise<Payload | null> {
  const card = await findRow(db, 'cards', { order_id })
  return card && { cardToken: card.token, token: card.token, ...cardFacts(card) }
}

/** `amount` is what was taken of the order's own sum, without a tip; of a payment that failed, what was asked for. */
async function paymentPayload(db: SandboxReader, order: OrderRow, status: string): Promise<Payload> {
  const { receiverId, receiverType, integratorId, integratorOrderId } = orderRequest(order)
  const paid = orderEnd(status) === 'paid'
  const taken = paid && order.paid > 0 ? order.paid - order.tip : order.amount
  // The order's own receiver is a branch; only a split brings an account. Recorded is one of every payment.
  const { order_id } = order
  const account = (await findRow(db, 'shares', { order_id, receiver_type: 'IBAN' }))?.receiver
  const recorded = order.recorded === 1 ? { toIban: account ?? accountOf(receiverId) } : null
  const card = paid ? await cardInfo(db, order) : null
  return {
    amount: money(taken),
    ...{ receiverId, receiverType, integratorId, integratorOrderId, status },
    initialCurrency: order.currency,
    acquiringCurrency: order.acquiring_currency,
    acquiringAmount: money(paid ? order.acquired : 0),
    ...recorded,
    ...(order.transaction_id === null ? {} : { transactionId: new JsonNumber(order.transaction_id) }),
    ...(account === undefined || recorded ? {} : { toIban: account }),
    ...(card === null ? {} : { cardInfo: card }),
  }
}

/** The same with no more of the card than its token: where one RSA block has no room for the rest. */
function withTokenOnly(payload: Payload): Payload {
  const { cardInfo: card } = payload
  if (card === undefined) return payload
  const { cardToken, token } = card as Payload
  return { ...payload, cardInfo: { cardToken, token } }
}

function chargePayload({ subscription_id, amount }: Row<'subscriptions'>, historyId: number, status: string): Payload {
  return {
    subscriptionId: subscription_id,
    historyId: new JsonNumber(String(historyId)),
    status,
    amount: money(amount),
  }
}

interface Written {
  readonly plain: string
  readonly body: string
  readonly sealed: 0 | 1
  /** The reason why it cannot be sent as it should be. */
  readonly why: string | null
}

/** Sealed to the integrator as answers are: without an identifier. */
async function sealPayload(db: SandboxReader, { owner, scheme }: Integrator, payload: Payload): Promise<Written> {
  const pair = await findRow(db, 'key_pairs', { owner })
  let why = 'not sent: the integrator has no keys'
  // The content of a callback that is too long for one RSA block is not known; here it keeps the token, the point of saving a
  // card.
  for (const each of pair ? [payload, withTokenOnly(payload)] : []) {
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

async function payloadFor(db: SandboxReader, integrator: Integrator, payload: Payload): Promise<Written> {
  if ((await findRow(db, 'world'))?.callbacks !== 'plain') return await sealPayload(db, integrator, payload)
  const plain = writeJson(payload)
  return { plain, body: plain, sealed: 0, why: null }
}

type Ready = Omit<NewRow<'callbacks'>, 'state' | 'due'>

/** Writes one down: to be sent at once, or given up where it can never be. */
async function addToQueue(db: SandboxWriter, ready: Ready, unsealed: string | null = null): Promise<void> {
  const why = unsealed ?? whyNeverCalled(ready.url)
  const { created: time } = ready
  if (why === null) {
    await addRow(db, 'callbacks', { ...ready, state: 'waiting', due: time })
    return
  }
  const { callback_id } = await addRow(db, 'callbacks', { ...ready, state: 'given-up', due: null })
  await addRow(db, 'callback_attempts', { callback_id, number: 1, time, http: null, why, milliseconds: 0, reply: null })
}

interface NewCallback extends Pick<Ready, 'kind' | 'created'> {
  readonly order: OrderRow
  readonly payload: Payload
  /** The target; the order's address if not given. */
  readonly url?: string | undefined
  readonly note?: string
}

/** Writes a payload down for an order's address. */
async function writeCallback(
  db: SandboxWriter,
  { order, payload, url, kind, created, note }: NewCallback,
): Promise<void> {
  const integrator = integratorOf(order.integrator_id)
  if (!integrator) return
  const { why, ...written } = await payloadFor(db, integrator, payload)
  const { order_id, integrator_id } = order
  const address = url ?? orderRequest(order).callbackUri ?? integrator.defaults.callbackUri
  await addToQueue(db, { order_id, integrator_id, kind, url: address, ...written, created, note: note ?? null }, why)
}

/** The payment of an order is complete. An order that only ended unpaid causes no callback. */
export async function paymentEnded(db: SandboxWriter, order: OrderRow, at: number): Promise<void> {
  const payload = await paymentPayload(db, order, order.status)
  await writeCallback(db, { order, payload, kind: 'payment', created: at })
}

/** A charge of a plan has ended. Its address is the plan's, else the order's (service.md#orders). */
export async function chargeEnded(
  db: SandboxWriter,
  order: OrderRow,
  subscription: Row<'subscriptions'>,
  charge: { readonly id: number; readonly status: string; readonly at: number },
): Promise<void> {
  const payload = chargePayload(subscription, charge.id, charge.status)
  const ofPlan = orderRequest(order).subscriptionPlan?.callbackUrl
  const url = ofPlan ?? (plansTellOrder ? undefined : integratorOf(order.integrator_id)?.defaults.callbackUri)
  await writeCallback(db, { order, payload, url, kind: 'subscription', created: charge.at })
}

export const callbackForms = ['sealed', 'plain'] as const satisfies readonly Row<'world'>['callbacks'][]

// Plays callbacks: once more, in the wrong order, or with other content. The order itself stays as it is.

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

async function findCallback(
  db: SandboxWriter,
  { order_id }: OrderRow,
  which: number | undefined,
): Promise<CallbackRow | null> {
  if (which === undefined) return await findRow(db, 'callbacks', { order_id })
  const named = await findRow(db, 'callbacks', { order_id, callback_id: which })
  if (named) return named
  throw new Failure('not-found', `the order has no callback ${which}`)
}

async function repeat(db: SandboxWriter, order: OrderRow, which: number | undefined, now: number): Promise<void> {
  const last = await findCallback(db, order, which)
  if (!last) throw new Failure('refused', 'the order has had no callback yet', { status: order.status })
  const { callback_id, order_id, integrator_id, kind, url, plain, body, sealed } = last
  const note = `duplicate of ${callback_id}`
  // One that could not be sealed has no body, and has none the second time.
  const why = body === '' ? `not sent: ${callback_id} could not be sealed` : null
  await addToQueue(db, { order_id, integrator_id, kind, url, plain, body, sealed, created: now, note }, why)
}

/** The end of a payment as a callback names it. Null while it has not ended, or where the order ended without one. */
function paymentOutcomeOf({ status }: OrderRow): 'SUCCESS' | 'FAILED' | null {
  if (orderEnd(status) === 'paid') return 'SUCCESS'
  return status === 'FAILED' ? 'FAILED' : null
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
  const edits = set.map(readEdit)
  if (duplicate) return await repeat(db, order, played.which, now)
  const outcome = paymentOutcomeOf(order)
  if (outcome === null) {
    throw new Failure('refused', `no payment of the order is complete: it is ${order.status}`, { status: order.status })
  }
  const other = outcome === 'SUCCESS' ? 'FAILED' : 'SUCCESS'
  const status = outOfOrder ? other : outcome
  const payload = applyEdits(await paymentPayload(db, order, status), edits)
  const fields = edits.map(({ path }) => path.join('.')).join(', ')
  const notes = [outOfOrder ? `out of order: it is ${outcome}` : '', fields === '' ? '' : `edited: ${fields}`]
  const note = notes.filter(Boolean).join('; ') || 'sent again'
  await writeCallback(db, { order, payload, kind: 'payment', created: now, note })
}

/** Members that every description of a callback has. */
const callbackFacts = {
  id: z.string().regex(/^[0-9]+$/),
  kind: z.enum(['payment', 'subscription']),
  state: z
    .enum(['waiting', 'delivered', 'given-up'])
    .describe('given-up: not tried again, or never where nobody can be reached.'),
}

export const sentCallbacksResult = z
  .array(
    z.strictObject({
      ...callbackFacts,
      integratorOrderId: z.string(),
      integratorId: uuidText,
      url: z.string(),
      sealed: z.boolean().describe('To the integrator; else it is sent as plain JSON.'),
      note: z
        .string()
        .nullable()
        .describe(
          'What was played with it by `sandbox trigger callback`; null where the service sent it by itself. What happened is in the ledger.',
        ),
      payload: foreignObject.describe('What it says, before it is sealed.'),
      createdAt: sandboxMoment,
      nextAttemptAt: z.string().nullable(),
      attempts: z.array(
        z.strictObject({
          number: z.int().min(1),
          at: sandboxMoment,
          http: z.int().nullable().describe('Null where no answer came.'),
          why: z.string().nullable().describe('Why it was no success.'),
          milliseconds: z.int().min(0),
          reply: z
            .string()
            .nullable()
            .describe('The body of the answer: 4096 bytes of it, secrets hidden. Null where no answer came.'),
        }),
      ),
    }),
  )
  .describe('What integrators were told, the oldest first, and every attempt to deliver it.')

export const causedCallback = z.strictObject({
  ...callbackFacts,
  url: z.string(),
  why: z.string().nullable().describe('Why it is not sent.'),
})

export const ledgerCallbackResult = z.strictObject({
  ...callbackFacts,
  integratorOrderId: z.string(),
  attempts: z.int().min(0).describe('How often it was tried.'),
})
