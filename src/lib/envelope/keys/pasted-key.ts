/**
 * The DER bytes of a key as people paste it (service.md#keys): single-line base64, base64 in lines, PEM, PEM with literal
 * `\n` or in one line, PEM in base64 once more, quoted, or DER itself. Any other text is called by its name.
 */
import { withoutEnd } from '../../ends.ts'
import { textOf } from '../../readable-file.ts'
import { readBase64 } from '../base64.ts'

export type PastedKey =
  | { readonly der: Buffer }
  /** The name of another text in its place, in words that follow "is ". */
  | { readonly instead: string }

const withPassphrase = 'a private key under a passphrase; take it off with `openssl pkey -in <file> -out <new file>`'

const others: readonly (readonly [RegExp, string])[] = [
  [/BEGIN ENCRYPTED|Proc-Type: *4, *ENCRYPTED/, withPassphrase],
  [/BEGIN OPENSSH PRIVATE KEY/, 'a key in the form of OpenSSH; `ssh-keygen -p -m PKCS8 -f <copy of it>` rewrites it'],
  [/^ssh-[a-z0-9-]+ |^ecdsa-/, 'a public key in the form of OpenSSH; `ssh-keygen -e -m PKCS8 -f <file>` rewrites it'],
  [/BEGIN CERTIFICATE REQUEST/, 'a certificate request, not a key'],
  [/BEGIN EC PARAMETERS/, 'an EC key, not an RSA one'],
  [/BEGIN PGP/, 'a PGP key, not an RSA key'],
  [/<RSAKeyValue>/, 'a key in XML (.NET); export it as PEM or DER'],
  [/^\s*\{[\s\S]*"kty"/, 'a key as JSON (JWK); export it as PEM or DER'],
]

const pem = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)(-----END|$)/

/** The end of the outermost DER structure by its own length; null where the bytes are no DER. */
function declaredLength(der: Buffer): number | null {
  const first = der[1] ?? 0
  if (der[0] !== 0x30) return null
  if (first < 0x80) return first + 2
  const bytes = first - 0x80
  return bytes === 0 || bytes > 4 || der.length < 2 + bytes ? null : der.readUIntBE(2, bytes) + 2 + bytes
}

const passwordBased = Buffer.from('2a864886f70d01050d', 'hex')

function checked(der: Buffer): PastedKey {
  const length = declaredLength(der)
  if (length === null) return { instead: 'no key' }
  if (der.length < length) return { instead: 'a key that is cut off: its end is missing' }
  if (der.subarray(0, 40).includes(passwordBased)) return { instead: withPassphrase }
  return { der }
}

function fromText(text: string, times: number): PastedKey {
  const plain = text.replace(/\\r|\\n/g, '\n').trim()
  const other = others.find(([pattern]) => pattern.test(plain))
  if (other) return { instead: other[1] }
  const [, , body, end] = pem.exec(plain) ?? []
  if (end === '') return { instead: 'a key that is cut off: its END line is missing' }
  const bare = body ?? withoutEnd(plain.replace(/^[A-Za-z_]+ *[=:] */, '').replace(/^["']+/, ''), '"\',;')
  const bytes = readBase64(bare.replace(/\s+/g, ''))
  if (!bytes || bytes.length === 0) return { instead: 'no key' }
  const again = bytes.toString('latin1')
  return times > 0 && again.startsWith('-----BEGIN') ? fromText(again, times - 1) : checked(bytes)
}

/** The key in a file or a text. */
export function readPastedKey(bytes: Buffer): PastedKey {
  if (bytes.length === 0) return { instead: 'empty' }
  if (bytes[0] === 0x30 && (bytes[1] ?? 0) >= 0x80) return checked(bytes)
  // A comment in an old encoding in front of a key is no part of it.
  const text = textOf(bytes) ?? bytes.toString('utf8')
  return text.includes('\0') ? { instead: 'no key and no text' } : fromText(text, 1)
}
