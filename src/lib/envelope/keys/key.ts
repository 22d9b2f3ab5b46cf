/**
 * RSA keys: their half, their size, their owner. Each unusable key is refused by its name: a private key where a public one
 * belongs (it would be given away), an EC key, a certificate, a key below 2048 bits, one that can be taken apart. Node would
 * silently derive a public key from a private one, so the half is checked here.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { Failure } from '../../failure.ts'
import { blank, type Hint, hint, paste } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import { bitsOf } from '../rsa.ts'
import { readPastedKey } from './pasted-key.ts'
import type { describedKeyResult } from './result.ts'
import { weakness } from './sound-key.ts'

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
  if (type !== 'rsa') return complaint(`a key of the kind ${type}, not an RSA one`)
  const bits = bitsOf(key)
  if (bits < fewestBits) return complaint(`too small: ${bits} bits; the least is ${fewestBits}`)
  const weak = weakness(key)
  return weak === null ? { ok: true, key, half } : complaint(weak)
}

/** What was read, by the digest of the bytes: parsing and checking a key takes longer than what most commands do with it. */
const known = new Map<string, ReadKey>()
const mostKnown = 64

/** The key in a file or a pasted text, whatever its form (service.md#keys). */
export function readKey(bytes: Buffer): ReadKey {
  const digest = createHash('sha256').update(bytes).digest('base64')
  const read = known.get(digest) ?? readNewKey(bytes)
  if (known.size >= mostKnown) known.clear()
  known.set(digest, read)
  return read
}

function readNewKey(bytes: Buffer): ReadKey {
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

const anyForm = hint`A key is single-line base64 (DER), or PEM; \`${paste('key show', blank('<file>'))}\` says what a file holds.`

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

const keyForms = ['base64', 'pem'] as const

/** A key as text with a newline: single-line base64 of its DER (SPKI, PKCS#8), as keys are issued, or PEM. */
export function writeKey(key: KeyObject, form: (typeof keyForms)[number]): string {
  const type = key.type === 'private' ? 'pkcs8' : 'spki'
  if (form === 'pem') return key.export({ format: 'pem', type }).toString()
  return `${key.export({ format: 'der', type }).toString('base64')}\n`
}
