/**
 * OAEP blocks whose MGF1 hash is not the hash itself (RFC 8017, 7.1), which Node 20 cannot name; node:crypto does the
 * arithmetic. Padding a text has no timing that an attacker could use and is written here; attackers time its removal, which
 * is left to node-forge. It is loaded at the first such block, because hardly any envelope needs it.
 */
import { createHash, type Hash } from 'node:crypto'
import type { MessageDigest } from 'node-forge/lib/pkcs1.js'
import type { RandomBytes } from './random.ts'

export type MgfHash = 'sha1' | 'sha256'

const sizes = { sha1: 20, sha256: 32 } as const

/** The padding is two hashes and two bytes. */
export const oaepOverhead = 2 * sizes.sha256 + 2

function mgf1(seed: Buffer, length: number, hash: MgfHash): Buffer {
  const counter = Buffer.alloc(4)
  const pieces = Array.from({ length: Math.ceil(length / sizes[hash]) }, (_, at) => {
    counter.writeUInt32BE(at)
    return createHash(hash).update(seed).update(counter).digest()
  })
  return Buffer.concat(pieces, length)
}

function masked(bytes: Buffer, seed: Buffer, hash: MgfHash): Buffer {
  const mask = mgf1(seed, bytes.length, hash)
  for (let at = 0; at < mask.length; at += 1) mask[at] = (mask[at] ?? 0) ^ (bytes[at] ?? 0)
  return mask
}

/** The block of a message that fits (`size` - 66 bytes at most). The label is empty. */
export function padOaep(message: Buffer, size: number, mgf: MgfHash, random: RandomBytes): Buffer {
  const seed = random(sizes.sha256)
  const zeros = Buffer.alloc(size - message.length - oaepOverhead)
  const data = Buffer.concat([createHash('sha256').digest(), zeros, Buffer.of(1), message])
  const maskedData = masked(data, seed, mgf)
  return Buffer.concat([Buffer.of(0), masked(seed, maskedData, mgf), maskedData])
}

/** Node's hash in the shape that node-forge asks for: its own are a hundred times slower. */
function digest(name: MgfHash): MessageDigest {
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
export async function unpadOaep(block: Buffer, mgf: MgfHash, label: Buffer = Buffer.alloc(0)): Promise<Buffer | null> {
  loaded ??= import('node-forge/lib/pkcs1.js')
  const { default: pkcs1 } = await loaded
  const size = { n: { bitLength: () => block.length * 8 } }
  const options = { md: digest('sha256'), mgf1: { md: digest(mgf) }, label: label.toString('latin1') }
  try {
    return Buffer.from(pkcs1.decode_rsa_oaep(size, block.toString('latin1'), options), 'latin1')
  } catch {
    return null
  }
}
