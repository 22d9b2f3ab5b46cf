/**
 * PKCS#1 v1.5 encryption blocks (RFC 8017, 7.2): `00 02`, at least eight bytes that are not zero, `00`, the message. Own
 * lines because Node 20 refuses to take such a padding off (CVE-2023-46809); test/vectors/wycheproof checks them.
 */
import type { RandomBytes } from './random.ts'

const leastPadding = 8
export const pkcs1Overhead = leastPadding + 3

function nonZero(size: number, random: RandomBytes): Buffer {
  const bytes = random(size)
  for (let at = 0; at < size; at += 1) while (bytes[at] === 0) bytes[at] = random(1)[0] ?? 0
  return bytes
}

/** The block of a message that fits (`size` - 11 bytes at most). */
export function padPkcs1(message: Buffer, size: number, random: RandomBytes): Buffer {
  const padding = nonZero(size - message.length - 3, random)
  return Buffer.concat([Buffer.of(0, 2), padding, Buffer.of(0), message])
}

/** The message of a block; null if it has none. Walks over every byte and branches on none: where it fails does not show. */
export function unpadPkcs1(block: Buffer): Buffer | null {
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
