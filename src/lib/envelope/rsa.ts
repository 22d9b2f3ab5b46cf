/** One RSA block, both ways. Keys are RSA keys of at least 2048 bits: key.ts gives no others. */
import {
  constants,
  createHash,
  type Hash,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import type { MessageDigest } from 'node-forge/lib/pkcs1.js'
import type { Padding } from './scheme.ts'

/**
 * PKCS#1 v1.5 encryption blocks (RFC 8017, 7.2): `00 02`, at least eight bytes that are not zero, `00`, the message. Own
 * lines because Node 20 refuses to take such a padding off (CVE-2023-46809); test/vectors/wycheproof checks them.
 */
const leastPadding = 8
const pkcs1Overhead = leastPadding + 3

/** The message of a block; null if it has none. Walks over every byte and branches on none: where it fails does not show. */
function unpadPkcs1(block: Buffer): Buffer | null {
  let wrong = (block[0] ?? 1) | ((block[1] ?? 0) ^ 2)
  let looking = 1
  let end = 0
  for (let at = 2; at < block.length; at += 1) {
    const isZero = (((block[at] ?? 0) - 1) >>> 31) & looking
    end |= -isZero & at
    looking ^= isZero
  }
  wrong |= looking | ((end - 2 - leastPadding) >>> 31)
  return wrong === 0 ? block.subarray(end + 1) : null
}

/**
 * OAEP blocks with SHA-256 whose MGF1 hash is SHA-1 (RFC 8017, 7.1), which Node 20 cannot name; node:crypto does the arithmetic.
 * Padding a text has no timing that an attacker could use and is written here; attackers time its removal, which is left to
 * node-forge. It is loaded at the first such block, because hardly any envelope needs it.
 */
const sizes = { sha1: 20, sha256: 32 } as const

/** The padding is two hashes and two bytes. */
const oaepOverhead = 2 * sizes.sha256 + 2

/** The bytes under the mask that MGF1 with SHA-1 makes of the seed. */
function masked(bytes: Buffer, seed: Buffer): Buffer {
  const counter = Buffer.alloc(4)
  const pieces = Array.from({ length: Math.ceil(bytes.length / sizes.sha1) }, (_, at) => {
    counter.writeUInt32BE(at)
    return createHash('sha1').update(seed).update(counter).digest()
  })
  const mask = Buffer.concat(pieces, bytes.length)
  for (let at = 0; at < mask.length; at += 1) mask[at] = (mask[at] ?? 0) ^ (bytes[at] ?? 0)
  return mask
}

/** The block of a message that fits (`size` - 66 bytes at most). The label is empty. */
function padOaep(message: Buffer, size: number): Buffer {
  const seed = randomBytes(sizes.sha256)
  const zeros = Buffer.alloc(size - message.length - oaepOverhead)
  const data = Buffer.concat([createHash('sha256').digest(), zeros, Buffer.of(1), message])
  const maskedData = masked(data, seed)
  return Buffer.concat([Buffer.of(0), masked(seed, maskedData), maskedData])
}

/** Node's hash in the shape that node-forge asks for: its own are a hundred times slower. */
function digest(name: keyof typeof sizes): MessageDigest {
  let hash: Hash
  return {
    digestLength: sizes[name],
    start: () => {
      hash = createHash(name)
    },
    update: (bytes) => hash.update(bytes, 'latin1'),
    digest: () => {
      const bytes = hash.digest('binary')
      return { getBytes: () => bytes }
    },
  }
}

let loaded: Promise<typeof import('node-forge/lib/pkcs1.js')> | undefined

/** The message of a block; null if it has none. The label of envelopes is empty. */
async function unpadOaep(block: Buffer, label: Buffer = Buffer.alloc(0)): Promise<Buffer | null> {
  loaded ??= import('node-forge/lib/pkcs1.js')
  const { default: pkcs1 } = await loaded
  const size = { n: { bitLength: () => block.length * 8 } }
  const options = { md: digest('sha256'), mgf1: { md: digest('sha1') }, label: label.toString('latin1') }
  try {
    return Buffer.from(pkcs1.decode_rsa_oaep(size, block.toString('latin1'), options), 'latin1')
  } catch {
    return null
  }
}

const raw = constants.RSA_NO_PADDING
const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const

export function bitsOf(key: KeyObject): number {
  return key.asymmetricKeyDetails?.modulusLength ?? 0
}

/** Bytes of a block of this key. */
export function blockSize(key: KeyObject): number {
  return Math.ceil(bitsOf(key) / 8)
}

/** Bytes that fit into a block: 245 at 2048 bits with PKCS#1, 190 with OAEP (service.md#wallet-envelope). */
export function room(padding: Padding, key: KeyObject): number {
  return blockSize(key) - (padding === 'pkcs1' ? pkcs1Overhead : oaepOverhead)
}

/** Seals a message that fits to a public key. */
export function sealBlock(padding: Padding, key: KeyObject, message: Buffer): Buffer {
  if (padding === 'oaep-sha256') return publicEncrypt({ key, ...oaep }, message)
  if (padding === 'pkcs1') return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, message)
  return publicEncrypt({ key, padding: raw }, padOaep(message, blockSize(key)))
}

/** The block as it was padded; null where it is no block of this key. */
export function rawBlock(key: KeyObject, block: Buffer): Buffer | null {
  try {
    return privateDecrypt({ key, padding: raw }, block)
  } catch {
    return null
  }
}

function openOaep(key: KeyObject, block: Buffer, label: Buffer | undefined): Buffer | null {
  try {
    return privateDecrypt({ key, ...oaep, ...(label ? { oaepLabel: label } : {}) }, block)
  } catch {
    return null
  }
}

/** The message of a block; null where it does not open, whatever the reason. The envelope's OAEP label is empty. */
export async function openBlock(
  padding: Padding,
  key: KeyObject,
  block: Buffer,
  label?: Buffer,
): Promise<Buffer | null> {
  if (block.length !== blockSize(key)) return null
  if (padding === 'oaep-sha256') return openOaep(key, block, label)
  const bytes = rawBlock(key, block)
  if (!bytes) return null
  return padding === 'pkcs1' ? unpadPkcs1(bytes) : unpadOaep(bytes, label)
}
