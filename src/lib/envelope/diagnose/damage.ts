/** Damage of an envelope that is seen before any key is tried, each with a code that scripts and the doctor go by. */
import type { Base64Damage } from '../base64.ts'

export type DamageCode =
  | Base64Damage
  | 'no-base64'
  | 'not-text'
  | 'hex'
  | 'base64-twice'
  | 'json-twice'
  | 'truncated'
  | 'empty'
  | 'private-key'
  | 'public-key'
  | 'bare'
  | 'field-names'
  | 'swapped-fields'
  | 'not-sealed'
  | 'service-error'
  | 'no-envelope'
  | 'no-data'
  | 'no-keys'
  | 'aes-false'
  | 'aes-unreadable'

const words: Readonly<Record<DamageCode, string>> = {
  'percent-encoded': 'is percent-encoded once too often; paydesk reads it, other receivers may not',
  'line-wraps': 'is broken into lines; write base64 in one line',
  'blanks-for-plus': 'has blanks where + stood: percent-encode the query (+ is %2B)',
  'url-safe-alphabet': 'is in the URL-safe alphabet (- and _); the service writes + and /',
  'padding-left-out': 'lacks the = at its end; write standard base64',
  'no-base64': 'is no base64: it holds other characters',
  'not-text': 'is no text',
  hex: 'is hexadecimal; encode the bytes in base64 instead',
  'base64-twice': 'is base64 of base64; encode once only',
  'json-twice': 'is JSON written as a text inside JSON; serialise once only',
  truncated: 'is cut off: bytes are missing',
  empty: 'is empty',
  'private-key':
    'is a PRIVATE key: it must never leave its owner; whoever has seen it could read everything, replace the pair',
  'public-key': 'is a public key, not an envelope',
  bare: 'is one value without its name; it is taken for encryptedData',
  'field-names': 'has another name; names are encryptedData, encryptedKeys, aes and identifier, letter for letter',
  'swapped-fields': 'are exchanged: encryptedKeys must be one RSA block',
  'not-sealed': 'is a payload that was never sealed',
  'service-error': 'is an error of the service, which is never sealed: read its message',
  'no-envelope': 'is neither a JSON object nor a query string',
  'no-data': 'is missing',
  'no-keys': 'is missing, though aes is true',
  'aes-false': 'says false beside encryptedKeys (the service answers 6011); it must be true',
  'aes-unreadable': 'is neither true nor false',
}

export interface Damage {
  readonly code: DamageCode
  /** The field it is about, or `envelope`. */
  readonly where: string
  readonly message: string
}

export function damage(code: DamageCode, where: string): Damage {
  return { code, where, message: `${where} ${words[code]}` }
}
