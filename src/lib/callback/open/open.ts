/**
 * Opens the body of a callback: the envelope of the orders, sealed to the integrator with any padding, or plain JSON
 * (service.md#callbacks). No body makes it throw: one that cannot be read is kept, with the reason.
 */
import { isUtf8 } from 'node:buffer'
import { layoutFaults, readPasted } from '../../envelope/diagnose/pasted.ts'
import { jsonText, openAs } from '../../envelope/envelope.ts'
import { type Envelope, readMembers } from '../../envelope/layout.ts'
import type { NamedKey } from '../../envelope/patient.ts'
import type { Scheme } from '../../envelope/scheme.ts'
import { isRecord, readJson } from '../../json.ts'
import { callbackSecrets } from './mask.ts'

const hows = ['sealed', 'plain', 'unopened', 'unreadable'] as const
/** `unopened`: an envelope that no key fits; `unreadable`: neither an envelope nor a JSON object. */
export type How = (typeof hows)[number]

export type OpenedBody =
  | { readonly how: 'plain'; readonly value: Record<string, unknown> }
  | { readonly how: 'sealed'; readonly value: Record<string, unknown>; readonly sealed: SealedAs }
  | { readonly how: 'unopened' | 'unreadable'; readonly why: string }

/** The scheme of the envelope, and the key that opened it. */
export interface SealedAs {
  readonly scheme: Scheme
  readonly key: NamedKey
  readonly envelope: Envelope
}

const unreadable = (why: string): OpenedBody => ({ how: 'unreadable', why })

/** The members of a JSON object, or why there are none. */
function membersIn(text: string): Record<string, unknown> | string {
  try {
    const value = readJson(text)
    return isRecord(value) ? value : 'it is JSON, but no object'
  } catch (error) {
    return error instanceof RangeError ? 'it is nested too deep' : 'it is no JSON'
  }
}

async function openEnvelope(envelope: Envelope, keys: readonly NamedKey[]): Promise<OpenedBody> {
  if (keys.length === 0) return { how: 'unopened', why: 'there is no private key to open it with' }
  for (const key of keys) {
    const opened = await openAs(envelope, { key: key.key, scheme: 'any' }, jsonText).catch(() => null)
    if (!opened) continue
    const value = membersIn(opened.read)
    if (typeof value === 'string')
      return unreadable(`the envelope opens (${opened.scheme}), but what is in it: ${value}`)
    return { how: 'sealed', value, sealed: { scheme: opened.scheme, key, envelope } }
  }
  const named = keys.map(({ name }) => name).join(', ')
  return { how: 'unopened', why: `it opens with none of the private keys: ${named}` }
}

/** Opens a body with the first key that fits. Never throws. */
export async function openBody(body: Buffer, keys: readonly NamedKey[]): Promise<OpenedBody> {
  if (body.length === 0) return unreadable('it is empty')
  if (!isUtf8(body)) return unreadable('it is no UTF-8 text')
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  try {
    const pasted = readPasted(text)
    if (pasted && (pasted.members.encryptedData ?? null) !== null) {
      const read = readMembers(pasted.members)
      return read.ok ? await openEnvelope(read.envelope, keys) : unreadable(layoutFaults[read.fault])
    }
    const value = membersIn(text)
    return typeof value === 'string' ? unreadable(value) : { how: 'plain', value }
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error))
  }
}

/** The tokens and numbers of cards in a body, as far as it can be opened. */
export async function secretsOf(body: Uint8Array, keys: readonly NamedKey[]): Promise<readonly string[]> {
  const opened = await openBody(Buffer.from(body), keys)
  return 'value' in opened ? callbackSecrets(opened.value) : []
}
