/**
 * Keys are made when they are needed first, because a pair takes seconds and most commands need none. They are
 * made outside the transaction, which others wait for; the first that is written counts, so that two processes agree.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../edge.ts'
import type { Store } from '../../store/engine/store.ts'
import type { Row, SandboxTables } from '../../store/sandbox/schema.ts'
import { addKeyPairs, findKeyPairs } from '../../store/sandbox/world.ts'
import type { Sealer } from './fixtures.ts'

/** Base64 of the DER (SPKI, PKCS#8) in one line, as keys are issued. */
export interface Keys {
  /** The key pair of the service: requests are sealed to it. */
  readonly servicePublicKey: string
  readonly servicePrivateKey: string
  /** The key pair of the integrator: answers are sealed to it. */
  readonly publicKey: string
  readonly privateKey: string
}

interface Owned {
  readonly owner: string
  readonly bits: number
}

async function newPair({ owner, bits }: Owned, random: Random): Promise<Row<'key_pairs'>> {
  const { publicKey, privateKey } = await random.rsaKeyPair(bits)
  return { owner, public_key: publicKey, private_key: privateKey }
}

/** The pairs of these owners; makes those that are missing, all at once. */
async function pairsOf(
  store: Store<SandboxTables>,
  random: Random,
  owners: readonly Owned[],
): Promise<ReadonlyMap<string, Row<'key_pairs'>>> {
  const names = owners.map(({ owner }) => owner)
  const known = await store.ask((db) => findKeyPairs(db, names))
  const missing = owners.filter(({ owner }) => !known.some((pair) => pair.owner === owner))
  if (missing.length === 0) return new Map(known.map((pair) => [pair.owner, pair]))
  const made = await Promise.all(missing.map((each) => newPair(each, random)))
  const pairs = await store.write(async (db) => {
    await addKeyPairs(db, made)
    return await findKeyPairs(db, names)
  })
  return new Map(pairs.map((pair) => [pair.owner, pair]))
}

const serviceOf = ({ bits }: Sealer): Owned => ({ owner: `service ${bits}`, bits })

/** The keys of several, by the owner of their own pair. */
export async function keysOfAll(
  store: Store<SandboxTables>,
  random: Random,
  sealers: readonly Sealer[],
): Promise<ReadonlyMap<string, Keys>> {
  const owners = [...sealers, ...sealers.map(serviceOf)]
  const pairs = await pairsOf(store, random, [...new Map(owners.map((each) => [each.owner, each])).values()])
  const all = sealers.map((sealer) => {
    const own = pairs.get(sealer.owner)
    const service = pairs.get(serviceOf(sealer).owner)
    if (!own || !service) throw new Error(`there are no keys of ${sealer.owner}`)
    const ofService = { servicePublicKey: service.public_key, servicePrivateKey: service.private_key }
    return [sealer.owner, { ...ofService, publicKey: own.public_key, privateKey: own.private_key }] as const
  })
  return new Map(all)
}

export async function keysOf(
  { store, random }: { readonly store: Store<SandboxTables>; readonly random: Random },
  sealer: Sealer,
): Promise<Keys> {
  const keys = (await keysOfAll(store, random, [sealer])).get(sealer.owner)
  if (!keys) throw new Error(`there are no keys of ${sealer.owner}`)
  return keys
}

export const privateKeyOf = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })

export const publicKeyOf = (text: string): KeyObject =>
  createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
