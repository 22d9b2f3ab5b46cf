/**
 * RSA keys: their half, their size, their owner. Each unusable key is refused by its name: a private key where a public one
 * belongs (it would be given away), an EC key, a certificate, a key below 2048 bits. Node would
 * silently derive a public key from a private one, so the half is checked here.
 */

import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { Failure } from '../failure.ts'
import { type Hint, hint, paste } from '../hint.ts'
import { textOf } from '../paths.ts'
import type { ResultOf } from '../result.ts'
import { withoutEnd } from '../text.ts'
import { readBase64 } from './base64.ts'
import type { describedKeyResult } from './result.ts'
import { bitsOf } from './rsa.ts'

/**
 * The DER bytes of a key as people paste it (service.md#keys): single-line base64, base64 in lines, PEM, PEM with literal
 * `\n` or in one line, PEM in base64 once more, quoted, or DER itself. Any other text is called by its name.
 */
type PastedKey =
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
function readPastedKey(bytes: Buffer): PastedKey {
  if (bytes.length === 0) return { instead: 'empty' }
  if (bytes[0] === 0x30 && (bytes[1] ?? 0) >= 0x80) return checked(bytes)
  // A comment in an old encoding in front of a key is no part of it.
  const text = textOf(bytes) ?? bytes.toString('utf8')
  return text.includes('\0') ? { instead: 'no key and no text' } : fromText(text, 1)
}

/** The usual exponent (RFC 8017 asks for no more than an odd one of 3 and up). */
const usualExponent = 65_537n

/** The weakness of a key, in words that follow its name; null where it has none. With an exponent of 1 a block is the message itself. */
function weakness({ asymmetricKeyDetails }: KeyObject): string | null {
  const exponent = asymmetricKeyDetails?.publicExponent ?? usualExponent
  if (exponent <= 1n) return `no key to seal with: its exponent is ${exponent}, so that everyone can read what it seals`
  return exponent % 2n === 0n ? `no RSA key: its exponent ${exponent} is even` : null
}

/** The remark on the exponent of a key that can serve; null where it is usual. */
export function smallExponent(key: KeyObject): string | null {
  const { publicExponent } = key.asymmetricKeyDetails ?? {}
  if (publicExponent === undefined || publicExponent >= usualExponent) return null
  return `has the exponent ${publicExponent}; new keys have ${usualExponent}`
}

const fewestBits = 2048

export type Half = 'private' | 'public'

export type ReadKey =
  | { readonly ok: true; readonly key: KeyObject; readonly half: Half }
  /** In words that follow the name of the file: "is an EC key, not an RSA one". */
  | { readonly ok: false; readonly complaint: string }

export type DescribedKey = ResultOf<typeof describedKeyResult>

function made(make: () => KeyObject): KeyObject | null {
  try {
    return make()
  } catch {
    return null
  }
}

function keyIn(der: Buffer): KeyObject | null {
  return (
    made(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })) ??
    made(() => createPublicKey({ key: der, format: 'der', type: 'spki' })) ??
    made(() => createPrivateKey({ key: der, format: 'der', type: 'pkcs1' })) ??
    made(() => createPublicKey({ key: der, format: 'der', type: 'pkcs1' })) ??
    made(() => createPrivateKey({ key: der, format: 'der', type: 'sec1' }))
  )
}

function isCertificate(der: Buffer): boolean {
  try {
    return Boolean(new X509Certificate(der))
  } catch {
    return false
  }
}

const complaint = (words: string): ReadKey => ({ ok: false, complaint: `is ${words}` })

function usable(key: KeyObject): ReadKey {
  const type = key.asymmetricKeyType ?? 'unknown'
  const half = key.type === 'private' ? 'private' : 'public'
  if (type === 'ec') return complaint('an EC key, not an RSA one')
  if (type === 'ed25519') return complaint("a person's key for approvals (ed25519); envelopes need an RSA key")
  if (type !== 'rsa') return complaint(`a key of the kind ${type}, not an RSA one`)
  const bits = bitsOf(key)
  if (bits < fewestBits) return complaint(`too small: ${bits} bits; the least is ${fewestBits}`)
  const weak = weakness(key)
  return weak === null ? { ok: true, key, half } : complaint(weak)
}

/** The key in a file or a pasted text, whatever its form (service.md#keys). */
export function readKey(bytes: Buffer): ReadKey {
  const pasted = readPastedKey(bytes)
  if ('instead' in pasted) return complaint(pasted.instead)
  const key = keyIn(pasted.der)
  if (key) return usable(key)
  if (isCertificate(pasted.der)) {
    return complaint('a certificate; its key is `openssl x509 -in <file> -pubkey -noout`, if it is an RSA one')
  }
  return complaint('no key')
}

function refused(name: string, complaint: string, advice: Hint): Failure {
  return new Failure('credentials', `${name} ${complaint}`, { hints: [advice] })
}

const anyForm = hint`An RSA key is single-line base64 (DER), or PEM; \`${paste('key generate')}\` makes one.`

/** A key of either half. Throws Failure('credentials') that begins with `name`. */
export function requireRsaKey(bytes: Buffer, name: string): KeyObject {
  const read = readKey(bytes)
  if (read.ok) return read.key
  throw refused(name, read.complaint, anyForm)
}

/** The private key in `bytes`. Throws Failure('credentials') that begins with `name`. */
export function readPrivateKey(bytes: Buffer, name: string): KeyObject {
  const key = requireRsaKey(bytes, name)
  if (key.type === 'private') return key
  throw refused(name, 'is a public key; opening needs the private one', hint`Give the private half of your pair.`)
}

/** The public key in `bytes`. Throws Failure('credentials') that begins with `name`. */
export function readPublicKey(bytes: Buffer, name: string): KeyObject {
  const key = requireRsaKey(bytes, name)
  if (key.type === 'public') return key
  const replace = hint`Sealing takes the public key of the receiver. A private key that others have seen must be replaced.`
  throw refused(name, 'is a private key where a public one belongs', replace)
}

export function publicHalf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key
}

export function fingerprint(key: KeyObject): string {
  const der = publicHalf(key).export({ format: 'der', type: 'spki' })
  return createHash('sha256').update(der).digest('hex')
}

export function describeKey(key: KeyObject): DescribedKey {
  const half = key.type === 'private' ? 'private' : 'public'
  return { kind: 'RSA', half, bits: bitsOf(key), fingerprint: fingerprint(key) }
}

/** A key as text with a newline: single-line base64 of its DER (SPKI, PKCS#8), as keys are issued, or PEM. */
export function writeKey(key: KeyObject, form: 'base64' | 'pem'): string {
  const type = key.type === 'private' ? 'pkcs8' : 'spki'
  if (form === 'pem') return key.export({ format: 'pem', type }).toString()
  return `${key.export({ format: 'der', type }).toString('base64')}\n`
}
