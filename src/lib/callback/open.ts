/**
 * Opens the body of a callback: the envelope of the orders, sealed to the integrator with any padding, or plain JSON
 * (service.md#callbacks). No body makes it throw: one that cannot be read is kept, with the reason.
 */
import { isUtf8 } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { layoutFaults, readPasted } from '../envelope/diagnose/inspect.ts'
import { jsonText, type NamedKey, openAs } from '../envelope/envelope.ts'
import { type Envelope, readMembers } from '../envelope/layout.ts'
import type { Scheme } from '../envelope/scheme.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { excessIn, isRecord, type JsonBounds, JsonExcess, messageBounds, ownBounds, readJson } from '../json.ts'
import { callbackSecrets, type Headers } from './mask.ts'
import { headerIn } from './raw.ts'

const hows = ['sealed', 'plain', 'unopened', 'unreadable'] as const
/** `unopened`: an envelope that no key fits; `unreadable`: neither an envelope nor a JSON object. */
export type How = (typeof hows)[number]

export type OpenedBody =
  | { readonly how: 'plain'; readonly value: Record<string, unknown> }
  | { readonly how: 'sealed'; readonly value: Record<string, unknown>; readonly sealed: SealedAs }
  | { readonly how: 'unopened' | 'unreadable'; readonly why: string }

/** The scheme of the envelope, and the key that opened it. */
interface SealedAs {
  readonly scheme: Scheme
  readonly key: NamedKey
  readonly envelope: Envelope
}

const unreadable = (why: string): OpenedBody => ({ how: 'unreadable', why })

/** The members of a JSON object, or why there are none. */
function membersIn(text: string, bounds: JsonBounds): Record<string, unknown> | string {
  try {
    const value = readJson(text, bounds)
    return isRecord(value) ? value : 'it is JSON, but not an object'
  } catch (error) {
    return error instanceof JsonExcess ? `it has ${error.message}` : 'it is not JSON'
  }
}

async function openEnvelope(envelope: Envelope, keys: readonly NamedKey[], bounds: JsonBounds): Promise<OpenedBody> {
  if (keys.length === 0) return { how: 'unopened', why: 'no private key to open it with' }
  for (const key of keys) {
    const opened = await openAs(envelope, { key: key.key, scheme: 'any' }, jsonText).catch(() => null)
    if (!opened) continue
    const value = membersIn(opened.read, bounds)
    if (typeof value === 'string') return unreadable(`the envelope opens (${opened.scheme}), but its content: ${value}`)
    return { how: 'sealed', value, sealed: { scheme: opened.scheme, key, envelope } }
  }
  const named = keys.map(({ name }) => name).join(', ')
  return { how: 'unopened', why: `none of your private keys opens it: ${named}` }
}

interface BodyBounds extends JsonBounds {
  readonly bytes: number
}

/** Bounds of a body that is opened while other callbacks wait: no callback has a hundredth of them. */
const besideOthers: BodyBounds = { ...messageBounds, bytes: 256 * 1024 }

/** Those of a body that is read for a person who asks for it. */
const forItself: BodyBounds = { ...ownBounds, bytes: Number.POSITIVE_INFINITY }

/** What of a body is beyond the bounds, in words; null for nothing. */
function excessOf(body: Uint8Array, bounds: BodyBounds): string | null {
  if (body.length > bounds.bytes) return 'more than 256 KiB'
  const text = Buffer.from(body).toString('utf8')
  return /^\uFEFF?\s*[[{]/.test(text) ? excessIn(text, bounds) : null
}

/** Opens a body with the first key that fits. Never throws. */
export async function openBody(body: Buffer, keys: readonly NamedKey[], bounds = besideOthers): Promise<OpenedBody> {
  if (body.length === 0) return unreadable('it is empty')
  if (!isUtf8(body)) return unreadable('it is not UTF-8 text')
  const excess = excessOf(body, bounds)
  if (excess !== null) return unreadable(`it has ${excess}`)
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  try {
    const pasted = readPasted(text)
    if (pasted && (pasted.members.encryptedData ?? null) !== null) {
      const read = readMembers(pasted.members)
      return read.ok ? await openEnvelope(read.envelope, keys, bounds) : unreadable(layoutFaults[read.fault])
    }
    const value = membersIn(text, bounds)
    return typeof value === 'string' ? unreadable(value) : { how: 'plain', value }
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error))
  }
}

/** The tokens and numbers of cards in a body, as far as it can be opened. */
export async function secretsOf(body: Uint8Array, keys: readonly NamedKey[]): Promise<readonly string[]> {
  const opened = await openBody(Buffer.from(body), keys, forItself)
  return 'value' in opened ? callbackSecrets(opened.value) : []
}

/** The same beside others; null where the body is too large to be looked through: nothing that may quote it may be shown. */
export async function secretsBesideOthers(
  body: Uint8Array,
  keys: readonly NamedKey[],
): Promise<readonly string[] | null> {
  return excessOf(body, besideOthers) === null ? secretsOf(body, keys) : null
}

/** Seconds that the clocks may differ, and that a callback may be on its way. */
const tolerance = 5 * 60

type SignatureVerdict = { readonly valid: true } | { readonly valid: false; readonly why: string }

const no = (why: string): SignatureVerdict => ({ valid: false, why })

/** Throws Failure('credentials') where the text is no secret; says nothing of what it is. */
export function signer(secret: string, name: string): Webhook {
  try {
    return new Webhook(secret)
  } catch {
    throw new Failure('credentials', `${name} holds no Standard Webhooks secret`, {
      hints: [hint`Such a secret is base64, usually after "whsec_".`],
    })
  }
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Checks a signature against the secret; `receivedAt` is in milliseconds since 1970. */
export function verify(webhook: Webhook, headers: Headers, body: Buffer, receivedAt: number): SignatureVerdict {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerIn(headers, name),
  )
  if (!id || !timestamp || !signatures) return no('it is not signed: webhook-id, -timestamp or -signature is missing')
  if (!/^\d{1,12}$/.test(timestamp)) return no('its webhook-timestamp is not a number of seconds')
  // The library would sign the replacement characters instead of the bytes.
  if (!isUtf8(body)) return no('its body is not UTF-8 text')
  const expected = webhook.sign(id, new Date(Number(timestamp) * 1000), body.toString('utf8'))
  if (!signatures.split(' ').some((each) => same(each, expected))) return no('its signature does not match the secret')
  const late = receivedAt / 1000 - Number(timestamp)
  if (late > tolerance) return no(`it was signed ${Math.round(late)} s before it was received (300 s at most)`)
  return late < -tolerance ? no(`it was signed ${Math.round(-late)} s after it was received`) : { valid: true }
}

/** The verdict in one line, as it is kept and shown. */
export function signatureInWords(verdict: SignatureVerdict): string {
  return verdict.valid ? 'valid' : `not valid: ${verdict.why}`
}
