/** Chance whose RSA keys are made once per test run: a pair takes seconds, and no test cares whose it is. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { type Random, type RsaKeyPair, realRandom } from '../../src/lib/edge.ts'
import { sharedDirectory } from './run/temporary.ts'

/** Enough pairs of a size for one world, so that no two clients in it share keys. */
const poolSizes: Readonly<Record<number, number>> = { 2048: 8, 4096: 4 }

type Pool = Readonly<Record<string, readonly RsaKeyPair[]>>

const poolFile = 'PAYDESK_TEST_KEYS'

/** Makes the pool of a test run, unless it has one: many runs one after the other may share theirs. Gives its directory. */
export async function makePool(): Promise<string> {
  const shared = env[poolFile]
  if (shared !== undefined) return dirname(shared)
  const sizes = await Promise.all(
    Object.entries(poolSizes).map(async ([bits, many]) => {
      const pairs = await Promise.all(Array.from({ length: many }, () => realRandom.rsaKeyPair(Number(bits))))
      return [bits, pairs] as const
    }),
  )
  const path = join(sharedDirectory('keys'), 'pool.json')
  writeFileSync(path, JSON.stringify(Object.fromEntries(sizes)), { mode: 0o600 })
  env[poolFile] = path
  return dirname(path)
}

function readPool(): Pool {
  const path = env[poolFile]
  return path === undefined ? {} : (JSON.parse(readFileSync(path, 'utf8')) as Pool)
}

let pool: Pool | undefined
const made = new Map<string, Promise<RsaKeyPair>>()

/** One pair per size and process, or one of several. */
export function keyPair(bits: number, which = 0): Promise<RsaKeyPair> {
  pool ??= readPool()
  const kept = pool[bits]?.[which]
  if (kept) return Promise.resolve(kept)
  const name = `${bits} ${which}`
  const known = made.get(name) ?? realRandom.rsaKeyPair(bits)
  made.set(name, known)
  return known
}

/** The same chance, with those keys. */
export function withKeyPairs(random: Random = realRandom): Random {
  return { ...random, rsaKeyPair: (bits) => keyPair(bits) }
}

const asked = new Map<number, number>()

/** Chance whose keys come in turn from the pool: those that are asked for one after the other differ. */
export const cachedPairs: Random = {
  ...realRandom,
  rsaKeyPair: (bits) => {
    const turn = asked.get(bits) ?? 0
    asked.set(bits, turn + 1)
    return keyPair(bits, turn % (poolSizes[bits] ?? 2))
  },
}
