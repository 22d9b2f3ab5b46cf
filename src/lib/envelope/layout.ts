/**
 * Layouts of an envelope in JSON or in a query (service.md#envelope and service.md#wallet-envelope; specification B and C):
 * four fields, one field, or either of them as query parameters. The writer is exact, the reader takes the variants that
 * servers meet.
 */
import type { Members } from '../contract/core/members.ts'
import { readBase64 } from './base64.ts'

/** An envelope as bytes. */
export interface Envelope {
  /** The client that sent the request; answers name none. */
  readonly identifier: string | null
  /** encryptedData */
  readonly data: Buffer
  /** encryptedKeys; null in the schemes of one RSA block. */
  readonly keys: Buffer | null
}

export const layouts = ['four-fields', 'one-field', 'query'] as const
export type Layout = (typeof layouts)[number]

/** The layouts that a scheme can lie in: without AES there is one field, with it there are four (three in an answer). */
export function layoutsOf(aes: boolean): readonly Layout[] {
  return [aes ? 'four-fields' : 'one-field', 'query']
}

export type EnvelopeMembers = Members

export type LayoutFault =
  /** Has no encryptedData. */
  | 'no-data'
  /** `aes` without encryptedKeys. */
  | 'no-keys'
  /** encryptedKeys, and `aes` says false: the service answers 6011 (service.md#envelope). */
  | 'aes-false'
  | 'aes-unreadable'
  | 'data-no-base64'
  | 'keys-no-base64'

export type ReadMembers =
  | { readonly ok: true; readonly envelope: Envelope }
  | { readonly ok: false; readonly fault: LayoutFault }

/** The members of the JSON body: `identifier` first where it is a request, `encryptedKeys` and `aes` where AES is used. */
export function writeMembers(envelope: Envelope): Record<string, string | boolean> {
  return {
    ...(envelope.identifier === null ? {} : { identifier: envelope.identifier }),
    encryptedData: envelope.data.toString('base64'),
    ...(envelope.keys === null ? {} : { encryptedKeys: envelope.keys.toString('base64'), aes: true }),
  }
}

/** The same as query parameters, percent-encoded, without a question mark. */
export function writeQuery(envelope: Envelope): string {
  return Object.entries(writeMembers(envelope))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

/** `true`, `True` and `1` as text or as they are; null where it is not given, undefined where it is nothing of the kind. */
function readSwitch(value: unknown): boolean | null | undefined {
  if (value === undefined || value === null || value === '') return null
  const word = String(value).trim().toLowerCase()
  if (word === 'true' || word === '1') return true
  return word === 'false' || word === '0' ? false : undefined
}

const given = (value: unknown) => value !== undefined && value !== null && value !== ''
const bytesOf = (value: unknown) => (typeof value === 'string' ? readBase64(value) : null)

/** Reads the members of a body or a query, whatever else stands beside them. */
export function readMembers(members: EnvelopeMembers): ReadMembers {
  const { identifier, encryptedData, encryptedKeys } = members
  const aes = readSwitch(members.aes)
  const fault = (fault: LayoutFault): ReadMembers => ({ ok: false, fault })
  if (!given(encryptedData)) return fault('no-data')
  if (aes === undefined) return fault('aes-unreadable')
  if (aes === true && !given(encryptedKeys)) return fault('no-keys')
  if (aes === false && given(encryptedKeys)) return fault('aes-false')
  const data = bytesOf(encryptedData)
  const keys = given(encryptedKeys) ? bytesOf(encryptedKeys) : undefined
  if (!data) return fault('data-no-base64')
  if (keys === null) return fault('keys-no-base64')
  return {
    ok: true,
    envelope: { identifier: given(identifier) ? String(identifier) : null, data, keys: keys ?? null },
  }
}
