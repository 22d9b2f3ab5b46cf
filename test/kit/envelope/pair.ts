/** Key pairs for tests, made once per file that asks; none is kept. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'

export interface Pair {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

export function newPair(bits = 2048): Pair {
  return generateKeyPairSync('rsa', { modulusLength: bits })
}
