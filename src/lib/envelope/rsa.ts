/** One RSA block, both ways. Keys are RSA keys of at least 2048 bits: key.ts gives no others. */
import { constants, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto'
import { oaepOverhead, padOaep, unpadOaep } from './oaep.ts'
import { padPkcs1, pkcs1Overhead, unpadPkcs1 } from './pkcs1.ts'
import { type RandomBytes, systemRandom } from './random.ts'
import type { Padding } from './scheme.ts'

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

function padded(padding: Padding, message: Buffer, size: number, random: RandomBytes): Buffer {
  if (padding === 'pkcs1') return padPkcs1(message, size, random)
  return padOaep(message, size, padding === 'oaep-sha256' ? 'sha256' : 'sha1', random)
}

/** Seals a message that fits to a public key. */
export function sealBlock(
  padding: Padding,
  key: KeyObject,
  message: Buffer,
  random: RandomBytes = systemRandom,
): Buffer {
  // Node draws the randomness of its own paddings itself: a seeded source needs ours.
  if (random === systemRandom && padding === 'oaep-sha256') return publicEncrypt({ key, ...oaep }, message)
  if (random === systemRandom && padding === 'pkcs1') {
    return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, message)
  }
  return publicEncrypt({ key, padding: raw }, padded(padding, message, blockSize(key), random))
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
  return padding === 'pkcs1' ? unpadPkcs1(bytes) : unpadOaep(bytes, 'sha1', label)
}
