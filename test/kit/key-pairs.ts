/** Chance whose RSA keys are made once: a pair takes seconds, and no test cares whose it is. */
import { type Random, type RsaKeyPair, realRandom } from '../../src/lib/edge.ts'

const pairs = new Map<string, Promise<RsaKeyPair>>()

/** One pair per size and process, or one of several. */
export function keyPair(bits: number, which = 0): Promise<RsaKeyPair> {
  const name = `${bits} ${which}`
  const known = pairs.get(name)
  if (known) return known
  const made = realRandom.rsaKeyPair(bits)
  pairs.set(name, made)
  return made
}

/** The same chance, with those keys. */
export function withKeyPairs(random: Random = realRandom): Random {
  return { ...random, rsaKeyPair: (bits) => keyPair(bits) }
}

/** As many as one world needs of a size, so that nobody in it has the keys of somebody else. */
const poolSizes: Readonly<Record<number, number>> = { 2048: 6, 4096: 3 }
const asked = new Map<number, number>()

/** Chance whose keys come in turn from a small pool: those that are made one after the other differ. */
export const cachedPairs: Random = {
  ...realRandom,
  rsaKeyPair: (bits) => {
    const turn = asked.get(bits) ?? 0
    asked.set(bits, turn + 1)
    return keyPair(bits, turn % (poolSizes[bits] ?? 2))
  },
}
