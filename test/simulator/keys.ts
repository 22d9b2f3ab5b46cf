/** RSA keys of the simulations, made once per process: making a pair takes longer than a whole story. */
import { generateKeyPairSync } from 'node:crypto'
import type { RsaKeyPair } from '../../src/lib/edge.ts'

function made(modulusLength: number): RsaKeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  return { publicKey: publicKey.toString('base64'), privateKey: privateKey.toString('base64') }
}

const pairs = new Map<number, RsaKeyPair>()

/** One pair serves both sides: what is proved here does not depend on whose key it is. */
export function pairOf(bits: number): RsaKeyPair {
  const size = bits > 2048 ? 2304 : 2048
  const pair = pairs.get(size) ?? made(size)
  pairs.set(size, pair)
  return pair
}
