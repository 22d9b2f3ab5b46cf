/**
 * Reasons why an RSA block does not open with a key of its size: the mistakes of senders that use neither of the service's
 * two paddings.
 */
import { constants, type KeyObject, privateDecrypt, publicDecrypt } from 'node:crypto'
import { isPrintable } from '../../printable.ts'
import { openBlock, rawBlock } from '../../rsa.ts'
import { paddings } from '../../scheme.ts'
import { type Remedy, remedy } from '../remedy.ts'

const otherHashes = ['sha1', 'sha384', 'sha512'] as const

function otherHash(key: KeyObject, block: Buffer): Remedy | null {
  for (const oaepHash of otherHashes) {
    try {
      privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, block)
      return remedy('oaep-hash', `it was ${oaepHash}`)
    } catch {
      // Not this one.
    }
  }
  return null
}

function unpadded(key: KeyObject, block: Buffer): Remedy | null {
  const bytes = rawBlock(key, block)
  const message = bytes?.subarray(bytes.findIndex((byte) => byte !== 0))
  return message && message.length >= 20 && isPrintable(message) ? remedy('no-padding') : null
}

async function backToFront(key: KeyObject, block: Buffer): Promise<Remedy | null> {
  const reversed = Buffer.from(block).reverse()
  for (const padding of paddings) {
    const opened = await openBlock(padding, key, reversed)
    // PKCS#1 has no hash to prove that it was meant.
    const meant = padding !== 'pkcs1' || (opened !== null && opened.length >= 16 && isPrintable(opened))
    if (opened && meant) return remedy('byte-order')
  }
  return null
}

/** The remedy where a private key made the block, as a signature is made: every holder of the public half can open it. */
function signed(publicKeys: readonly KeyObject[], block: Buffer): Remedy | null {
  for (const key of publicKeys) {
    try {
      publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, block)
      return remedy('wrong-half')
    } catch {
      // Not by this one.
    }
  }
  return null
}

/**
 * The remedy for the sender's mistake; null where no mistake fits this key. `publicKeys`: all that may have been used for the
 * block.
 */
export async function probeBlock(
  key: KeyObject,
  block: Buffer,
  publicKeys: readonly KeyObject[],
): Promise<Remedy | null> {
  return (
    otherHash(key, block) ??
    unpadded(key, block) ??
    (await backToFront(key, block)) ??
    signed(publicKeys, block) ??
    null
  )
}
