/** Damage of an envelope that is seen before any key is tried, each with a code that scripts and the doctor go by. */
import type { Base64Damage } from '../base64.ts'

const words = {
  'percent-encoded': 'is percent-encoded once too often; paydesk reads it, other receivers may not',
  'line-wraps': 'is broken into lines; write base64 in one line',
  'blanks-for-plus': 'has blanks where + stood: percent-encode the query (+ is %2B)',
  'url-safe-alphabet': 'is in the URL-safe alphabet (- and _); the service writes + and /',
  'padding-left-out': 'lacks the = at its end; write standard base64',
  'no-base64': 'is not base64: it holds other characters',
  'not-text': 'is not text',
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
} as const satisfies Readonly<Record<Base64Damage, string>> & Readonly<Record<string, string>>

export type DamageCode = keyof typeof words

export interface Damage {
  readonly code: DamageCode
  /** The field it is about, or `envelope`. */
  readonly where: string
  readonly message: string
}

export function damage(code: DamageCode, where: string): Damage {
  return { code, where, message: `${where} ${words[code]}` }
}

/** Remedies for an envelope that does not open. The codes are for scripts and tests, the words for the author of the sender. */
const remedies = {
  'other-padding': 'the sender pads RSA in another way than this setting',
  'mgf1-hash':
    'the sender left the MGF1 hash at SHA-1 (Java: OAEPWithSHA-256AndMGF1Padding); set OAEPParameterSpec with MGF1ParameterSpec.SHA256',
  'oaep-hash': 'the sender uses OAEP with another hash; the service takes SHA-256 (and MGF1 SHA-256)',
  'no-padding': 'the sender uses RSA without padding, which anybody can take apart; use OAEP SHA-256',
  'byte-order': 'the RSA block stands back to front (Windows CryptoAPI); reverse its bytes',
  'wrong-half': 'the sender encrypted with a private key, as one signs; seal with the public key of the receiver',
  'other-key': 'it was sealed to another public key; compare the fingerprints (`paydesk key show`)',
  'wrong-direction':
    'it is a request (it has an identifier): requests are sealed to the key of the service, and only the service opens them',
  'iv-before-key': 'the IV stands before the key; write base64(key) + "." + base64(iv)',
  'raw-key-bytes': 'the bytes of key and IV were wrapped as they are; write base64(key) + "." + base64(iv)',
  'key-text': 'key and IV are joined in another way; write base64(key) + "." + base64(iv)',
  'key-in-hex': 'key and IV are hexadecimal; write base64(key) + "." + base64(iv)',
  'key-text-utf16': 'the key text is UTF-16; write it in ASCII',
  'no-iv': 'there is no IV beside the key; write base64(key) + "." + base64(iv)',
  'key-size': 'the AES key has the wrong size; the service takes AES-256, a key of 32 bytes',
  'iv-size': 'the IV has the wrong size; CBC takes 16 bytes',
  'cipher-mode': 'the sender uses another mode of AES; the service takes AES-256-CBC',
  'pkcs7-padding': 'the text is not padded with PKCS#7 (zeros, blanks or nothing at its end)',
  'iv-in-front': 'the IV stands in front of encryptedData; it belongs into encryptedKeys only',
  'wrong-iv':
    'the IV in encryptedKeys is not the one that sealed the data: the first 16 bytes come out wrong, the rest is right',
  damaged: 'bytes were changed, or encryptedData and encryptedKeys are of two messages; send it again',
  truncated: 'its end is missing; send the whole of it',
  charset: 'the text is not UTF-8 but an 8-bit character set; encode it in UTF-8',
  utf16: 'the text is UTF-16; encode it in UTF-8',
  compressed: 'the text is compressed; seal it as it is',
  'base64-twice': 'base64 was written twice; encode once only',
  'not-json': 'the text is not JSON; the service takes a JSON object',
  'form-encoded': 'the text is form-encoded; the service takes a JSON object',
  'legacy-block': 'it is the legacy scheme: one RSA block, no encryptedKeys; open it with rsa-pkcs1 or rsa-oaep-sha256',
  'aes-envelope': 'it is an AES envelope, and the setting is the legacy scheme of one RSA block',
  payload: 'the payload breaks the contract; mend the fields',
} as const

export type RemedyCode = keyof typeof remedies | DamageCode

export interface Remedy {
  readonly code: RemedyCode
  readonly message: string
}

export function remedy(code: keyof typeof remedies, detail = ''): Remedy {
  return { code, message: detail === '' ? remedies[code] : `${remedies[code]} (${detail})` }
}

export function mending({ code, message }: Damage): Remedy {
  return { code, message }
}
