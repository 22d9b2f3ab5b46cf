/**
 * Sends stored callbacks again: to the byte as they came, or edited. What was sealed is sealed again, in the same way, to the
 * integrator's own public key, so that its receiver opens it as it does the service's.
 */

import type { Clock } from '../edge.ts'
import type { NamedKey } from '../envelope/doctor.ts'
import { seal } from '../envelope/envelope.ts'
import { publicHalf } from '../envelope/key.ts'
import { writeMembers } from '../envelope/layout.ts'
import { Failure } from '../failure.ts'
import type { Relay, SendLimits } from '../http/transport.ts'
import { writeJson } from '../json.ts'
import * as rows from '../store/callbacks.ts'
import type { Callbacks } from './callbacks.ts'
import { applyEdits, type Edit } from './edit.ts'
import { type Forwarded, forward, type Sent } from './forward.ts'
import type { Headers } from './mask.ts'
import { headersOf } from './message.ts'
import { type OpenedBody, openBody, tokensOf } from './open.ts'

export interface Replayed {
  readonly callbackId: string
  readonly target: string
  readonly edited: boolean
  readonly outcome: 'delivered'
  readonly http: number
  readonly milliseconds: number
}

export interface ReplaySettings {
  /** Where to; null for where it was forwarded to. */
  readonly to: string | null
  readonly edits: readonly Edit[]
  /** Fetched where a sealed one is edited, or where its target has something to say. */
  readonly keys: () => Promise<readonly NamedKey[]>
  readonly relay: (target: string) => Relay
  readonly limits: SendLimits
  readonly clock: Clock
}

function textOf(id: string, opened: OpenedBody, edits: readonly Edit[]): string {
  if ('value' in opened) return writeJson(applyEdits(opened.value, edits))
  throw new Failure('usage', `callback ${id} cannot be edited: ${opened.why}`, {
    hints: ['Without --set it is sent as it came.'],
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
async function prepared(row: rows.Received, { edits, keys }: ReplaySettings): Promise<Sent> {
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

async function targetOf(callbacks: Callbacks, row: rows.Received): Promise<string> {
  const { deliveries, attempts } = await callbacks.deliveries(row.seq)
  const known = deliveries.at(-1)?.target ?? attempts.at(-1)?.target
  if (known !== undefined) return known
  throw new Failure('usage', `callback ${row.id} was never forwarded, so it is not known where to`, {
    hints: ['Name the address: --to http://127.0.0.1:3000/callback'],
  })
}

function notTaken(id: string, target: string, { outcome, http, why }: Forwarded, sent: number): Failure {
  const said = why === null ? '' : `: ${why}`
  const before = sent > 0 ? `; ${sent} before it ${sent === 1 ? 'was' : 'were'} taken` : ''
  const facts = { moneyMoved: 'no', retry: 'same-id' } as const
  const hints = [`\`paydesk callback replay ${id}\` sends it again.`]
  if (outcome === 'refused')
    return new Failure('refused', `${target} answered ${http} to ${id}${said}${before}`, { ...facts, hints })
  return outcome === 'unsent'
    ? new Failure('unsent', `${target} cannot be reached for ${id}${said}${before}`, { ...facts, hints })
    : new Failure('unknown', `${target} gave no whole answer to ${id}${said}${before}`, { ...facts, hints })
}

/** Sends one again; the attempt is noted in the store. */
async function again(callbacks: Callbacks, id: string, settings: ReplaySettings) {
  const { row } = await callbacks.find(id)
  const target = settings.to ?? (await targetOf(callbacks, row))
  const sent = await prepared(row, settings)
  const started = settings.clock.now()
  const tokens = async () => tokensOf(row.body, await settings.keys().catch(() => []))
  const done = await forward(settings.relay(target), target, sent, settings.limits, tokens)
  const milliseconds = settings.clock.now() - started
  const edited = settings.edits.length > 0
  await callbacks.store.write(async (db) => {
    await rows.addAttempt(db, {
      ...{ seq: row.seq, target, by: 'replay', edited: edited ? 1 : 0 },
      ...{ started_at: new Date(started).toISOString(), milliseconds, ...done },
    })
    // The target has it now: the listener need not send it any more.
    if (done.outcome === 'delivered' && !edited)
      await rows.changeDelivery(db, { seq: row.seq, target }, { state: 'delivered' })
  })
  return { done, target, edited, milliseconds }
}

/** Sends callbacks again, one after the other. Throws at the first that was not taken: unsent, unknown, refused. */
export async function replay(
  callbacks: Callbacks,
  ids: readonly string[],
  settings: ReplaySettings,
): Promise<readonly Replayed[]> {
  const replayed: Replayed[] = []
  for (const id of ids) {
    settings.limits.signal.throwIfAborted()
    const { done, target, edited, milliseconds } = await again(callbacks, id, settings)
    if (done.outcome !== 'delivered' || done.http === null) throw notTaken(id, target, done, replayed.length)
    replayed.push({ callbackId: id, target, edited, outcome: done.outcome, http: done.http, milliseconds })
  }
  return replayed
}
