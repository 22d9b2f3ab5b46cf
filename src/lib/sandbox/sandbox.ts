/**
 * The sandbox: the whole service, small, on the user's own machine. It has no socket of its own; `server.ts` gives it one,
 * the simulator calls it directly.
 */
import { resolve } from 'node:path'
import type { Clock, Random } from '../edge.ts'
import { openStore } from '../store/open.ts'
import { listAccounts, listClients, listPayouts, listReceivers, readWorld, replaceWorld } from '../store/sandbox.ts'
import { type SandboxTables, sandboxSchema } from '../store/sandbox-schema.ts'
import type { Store } from '../store/store.ts'
import type { HttpAnswer, HttpRequest } from '../wire/message.ts'
import { readSettled } from './course.ts'
import { type Faults, keptFaults } from './fault.ts'
import { describeLedger, type Ledger } from './ledger.ts'
import { answerAny } from './routes.ts'
import type { Shape } from './shape.ts'
import { describeClient, describeWorld, newWorld, type World } from './world.ts'

export interface Sandbox {
  /** The service: one request in, one answer out, no fault, no socket. Never throws for a bad request. */
  answer(request: HttpRequest, shape?: Shape): Promise<HttpAnswer>
  /** Who exists, with secrets and present balances. */
  world(): Promise<World>
  /** What happened. */
  ledger(): Promise<Ledger>
  /** A new world: new name, new secrets, opening balances, nothing paid, no faults. */
  reset(): Promise<void>
  readonly faults: Faults
  close(): Promise<void>
}

/** The sandbox on a store; an empty one gets a world. */
export async function sandboxOn(store: Store<SandboxTables>, clock: Clock, random: Random): Promise<Sandbox> {
  await store.write(async (db) => {
    if (!(await readWorld(db))) await replaceWorld(db, newWorld(clock.now(), random))
  })
  return {
    answer: async (request, shape = 'documented') => await answerAny(request, { store, clock, random, shape }),
    world: async () => await readSettled(store, clock.now(), seeWorld),
    ledger: async () => describeLedger(await readSettled(store, clock.now(), listPayouts)),
    reset: async () => await store.write((db) => replaceWorld(db, newWorld(clock.now(), random))),
    faults: keptFaults(store),
    close: async () => await store.close(),
  }
}

async function seeWorld(db: Parameters<typeof listClients>[0]): Promise<World> {
  const clients = await Promise.all(
    (await listClients(db)).map(async (client) => describeClient(client, await listAccounts(db, client.client_id))),
  )
  return describeWorld((await readWorld(db))?.world_id ?? '', clients, await listReceivers(db))
}

/** The sandbox of a directory; several processes may have it open. */
export async function openSandbox(directory: string, clock: Clock, random: Random): Promise<Sandbox> {
  const path = resolve(directory, 'sandbox.db')
  const store = await openStore<SandboxTables>(path, sandboxSchema)
  try {
    return await sandboxOn(store, clock, random)
  } catch (error) {
    await store.close()
    throw error
  }
}
