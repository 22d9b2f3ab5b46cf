/**
 * Remedies for an envelope that does not open. The codes are for scripts and tests, the words for the author of the sender.
 */
import type { Damage, DamageCode } from './damage.ts'

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
  'not-json': 'the text is no JSON; the service takes a JSON object',
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
