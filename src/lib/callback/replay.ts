/**
 * Sends stored callbacks again: to the byte as they came, or edited. All are made ready before the first is sent: a mistake
 * on the command line, found at the third of them, must not leave two that were sent. A sealed callback is sealed again, in
 * the same way, to the integrator's own public key, so that its receiver opens it as it does the service's.
 */

import { applyEdits, type MemberEdit } from '../contract/edit.ts'
import type { Clock } from '../edge.ts'
import { type NamedKey, seal } from '../envelope/envelope.ts'
import { publicHalf } from '../envelope/key.ts'
import { writeMembers } from '../envelope/layout.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { Relay, SendLimits } from '../http/client.ts'
import { writeJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import * as rows from '../store/callbacks.ts'
import type { CallbackStore } from './callbacks.ts'
import { type Forwarded, forward, type Sent } from './forward.ts'
import { type Headers, maskedText } from './mask.ts'
import { type OpenedBody, openBody, secretsOf } from './open.ts'
import { headersOf } from './raw.ts'
import type { callbacksReplayedResult } from './result.ts'

export type Replayed = ResultOf<typeof callbacksReplayedResult>[number]

interface ReplaySettings {
  /** The target; null for the one that it was forwarded to. */
  readonly to: string | null
  readonly edits: readonly MemberEdit[]
  /** Fetched where a sealed one is edited, or where its target has something to say. */
  readonly keys: () => Promise<readonly NamedKey[]>
  readonly relay: (target: string) => Relay
  readonly limits: SendLimits
  readonly clock: Clock
  /** The warnings so far. */
  readonly warnings: () => readonly string[]
}

function textOf(id: string, opened: OpenedBody, edits: readonly MemberEdit[]): string {
  if ('value' in opened) return writeJson(applyEdits(opened.value, edits))
  throw new Failure('usage', `callback ${id} cannot be edited: ${opened.why}`, {
    hints: [hint`Without --set it is sent as it came.`],
  })
}

/** A signature is one of the bytes as they were, and what stands in the body now is JSON of another length. */
const ofOldBytes = new Set(['content-encoding', 'content-md5', 'digest', 'content-digest', 'webhook-signature'])

function headersFor(headers: Headers): Headers {
  const kept = headers.filter(([name]) => !ofOldBytes.has(name.toLowerCase()))
  const isJson = kept.some(([name, value]) => name.toLowerCase() === 'content-type' && /json/i.test(value))
  if (isJson) return kept
  return [...kept.filter(([name]) => name.toLowerCase() !== 'content-type'), ['content-type', 'application/json']]
}

/** The callback as it is to be sent. Throws a Failure where it cannot be edited. */
async function prepared(row: rows.ReceivedCallback, { edits, keys }: ReplaySettings): Promise<Sent> {
  const { method, target } = row
  const headers = headersOf(row)
  if (edits.length === 0) return { method, target, headers, body: row.body }
  const bytes = Buffer.from(row.body)
  const plain = await openBody(bytes, [])
  const opened = plain.how === 'unopened' ? await openBody(bytes, await keys()) : plain
  const text = textOf(row.id, opened, edits)
  if (opened.how !== 'sealed') return { method, target, headers: headersFor(headers), body: Buffer.from(text) }
  const { key, scheme, envelope } = opened.sealed
  const sealed = seal(text, { key: publicHalf(key.key), scheme, identifier: envelope.identifier })
  return { method, target, headers: headersFor(headers), body: Buffer.from(JSON.stringify(writeMembers(sealed))) }
}

async function targetOf(callbacks: CallbackStore, row: rows.ReceivedCallback): Promise<string> {
  const { deliveries, attempts } = await callbacks.deliveries(row.seq)
  const known = deliveries.at(-1)?.target ?? attempts.at(-1)?.target
  if (known !== undefined) return known
  throw new Failure('usage', `callback ${row.id} was never forwarded, so its target is not known`, {
    hints: [hint`Name the address: --to http://127.0.0.1:3000/callback`],
  })
}

function notTaken({ id, target: to }: Ready, { outcome, http, why }: Forwarded, sent: number): Failure {
  const target = maskedText(to)
  const said = why === null ? '' : `: ${why}`
  const before = sent > 0 ? `; ${sent} before it ${sent === 1 ? 'was' : 'were'} taken` : ''
  const facts = { moneyMoved: 'no', retry: 'same-id' } as const
  const hints = [hint`\`${paste('callback replay', id)}\` sends it again.`]
  if (outcome === 'refused')
    return new Failure('refused', `${target} answered ${http} to ${id}${said}${before}`, { ...facts, hints })
  return outcome === 'unsent'
    ? new Failure('unsent', `${target} cannot be reached for ${id}${said}${before}`, { ...facts, hints })
    : new Failure('unknown', `${target} gave no complete answer to ${id}${said}${before}`, { ...facts, hints })
}

/** One that nothing but its target can stop any more. */
interface Ready {
  readonly id: string
  readonly seq: number
  readonly target: string
  readonly relay: Relay
  readonly sent: Sent
  /** As it came. */
  readonly body: Uint8Array
}

/** Throws a Failure: not-found, or usage where it cannot be edited or it is not known where to. */
async function ready(callbacks: CallbackStore, id: string, settings: ReplaySettings): Promise<Ready> {
  const { row } = await callbacks.find(id)
  const target = settings.to ?? (await targetOf(callbacks, row))
  const sent = await prepared(row, settings)
  return { id, seq: row.seq, target, relay: settings.relay(target), sent, body: row.body }
}

/** Sends one again; the attempt is noted in the store. */
async function again(callbacks: CallbackStore, { seq, target, relay, sent, body }: Ready, settings: ReplaySettings) {
  const { clock, limits, keys, edits } = settings
  const started = clock.now()
  const done = await forward(relay, target, sent, limits, async () => secretsOf(body, await keys().catch(() => [])))
  const milliseconds = clock.now() - started
  const edited = edits.length > 0
  await callbacks.store.write(async (db) => {
    await rows.addDeliveryAttempt(db, {
      ...{ seq, target, by: 'replay', edited: edited ? 1 : 0 },
      ...{ started_at: new Date(started).toISOString(), milliseconds, ...done },
    })
    // The target has it now: the listener need not send it any more.
    if (done.outcome === 'delivered' && !edited) await rows.changeDelivery(db, { seq, target }, { state: 'delivered' })
  })
  return { done, edited, milliseconds }
}

function stopped(sent: number, left: number): Failure {
  const before = sent > 0 ? `after ${sent} ${sent === 1 ? 'was' : 'were'} taken` : 'before anything was sent'
  return new Failure('interrupted', `stopped ${before}; ${left} not sent`, { moneyMoved: 'no', retry: 'same-id' })
}

/** Sends callbacks again, one after the other. Throws at the first that was not taken: unsent, unknown, refused. */
export async function replay(
  callbacks: CallbackStore,
  ids: readonly string[],
  settings: ReplaySettings,
): Promise<readonly Replayed[]> {
  const all: Ready[] = []
  for (const id of ids) all.push(await ready(callbacks, id, settings))
  const replayed: Replayed[] = []
  for (const one of all) {
    if (settings.limits.signal.aborted) throw stopped(replayed.length, all.length - replayed.length)
    const { done, edited, milliseconds } = await again(callbacks, one, settings)
    if (done.outcome !== 'delivered' || done.http === null) throw notTaken(one, done, replayed.length)
    const target = maskedText(one.target)
    const facts = { callbackId: one.id, target, edited, outcome: done.outcome, http: done.http, milliseconds }
    replayed.push({ ...facts, warnings: settings.warnings() })
  }
  return replayed
}
