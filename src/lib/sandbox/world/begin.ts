/** The beginning of a world: made where there is none, replaced on a reset, completed where an older release made it. */
import type { Clock, Random } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { Store } from '../../store/engine/store.ts'
import type { SandboxTables, SandboxWriter } from '../../store/sandbox/schema.ts'
import {
  addClients,
  hasTransactions,
  listClients,
  readWorld,
  replaceWorld,
  setNextTransactionId,
  upcomingTransactionId,
} from '../../store/sandbox/world.ts'
import { distributorRows, distributors } from './distributor.ts'
import { type ChangedSettings, setSettings } from './settings.ts'
import { newWorld } from './world.ts'

/** The store, the clock and the chance that a service stands on. */
export interface Ground {
  readonly store: Store<SandboxTables>
  readonly clock: Clock
  readonly random: Random
}

/** The beginning of a new world, where that is not the usual one. */
export interface NewWorld extends ChangedSettings {
  readonly firstTransactionId?: string | undefined
}

/** Makes a world where there is none. One that an older release made gets the clients that it lacks, and keeps its ledger. */
export async function makeWorld({ store, clock, random }: Ground): Promise<void> {
  if ((await store.ask(listClients)).length >= distributors.length) return
  await store.write(async (db) => {
    if (!(await readWorld(db))) return await replaceWorld(db, newWorld(clock.now(), random))
    const known = new Set((await listClients(db)).map(({ client_id }) => client_id))
    if (known.size < distributors.length) await addClients(db, distributorRows(random, known))
  })
}

/** Puts a new world in the place of the present one. Settings stay that are not changed. */
export async function beginAnew({ store, clock, random }: Ground, { firstTransactionId, ...changed }: NewWorld) {
  const next = newWorld(clock.now(), random, firstTransactionId)
  await store.write(async (db) => {
    const { callbacks, strict, providers, refunded_by } = (await readWorld(db)) ?? next.world
    await replaceWorld(db, { ...next, world: { ...next.world, callbacks, strict, providers, refunded_by } })
    await setSettings(db, changed)
  })
}

/** Numbers transactions from here on. Throws Failure('usage') where such a number may have been given already. */
export async function numberFrom(db: SandboxWriter, id: string): Promise<void> {
  const next = await upcomingTransactionId(db)
  if (BigInt(id) < BigInt(next) && (await hasTransactions(db))) {
    throw new Failure('usage', `transactions of this world are numbered up to ${BigInt(next) - 1n} already`, {
      hints: [
        hint`Choose a larger number, or begin anew: \`${paste('sandbox reset', '--first-transaction-id', id)}\`.`,
      ],
    })
  }
  await setNextTransactionId(db, id)
}
