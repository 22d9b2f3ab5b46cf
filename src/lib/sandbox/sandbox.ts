/**
 * The sandbox: the whole service, small, on the user's own machine. It has no socket of its own; `server.ts` gives it one,
 * the simulator calls it directly.
 */
import { resolve } from 'node:path'
import type { Clock, Random } from '../edge.ts'
import { openStore } from '../store/engine/open.ts'
import type { Store } from '../store/engine/store.ts'
import { callbackForm } from '../store/sandbox/callbacks.ts'
import { listAccounts, listClients, listReceivers, readWorld, replaceWorld } from '../store/sandbox/sandbox.ts'
import { type SandboxReader, type SandboxTables, sandboxSchema } from '../store/sandbox/schema/schema.ts'
import type { HttpAnswer, HttpRequest } from '../wire/message.ts'
import { type Arrival, arrive } from './access/arrival.ts'
import { keysOf } from './access/key-ring.ts'
import { type CallbackSender, callbacksOf } from './callbacks/callbacks.ts'
import { answerCheckout } from './checkout/checkout.ts'
import { type ClockState, clockState, moveClock } from './clock/clock.ts'
import { readSettled } from './clock/course.ts'
import { type Faults, keptFaults } from './faults/fault.ts'
import type { Surroundings } from './handler.ts'
import { type Ledger, readLedger } from './ledger/ledger.ts'
import { type RequestLog, requestLog } from './log/log.ts'
import { type Note, noNote } from './log/note.ts'
import { answerAny } from './routes.ts'
import type { Shape } from './shape.ts'
import { type Played, play, type Triggered } from './trigger.ts'
import type { AttachedIntegrator, AttachedWalletIntegrator } from './world/attached.ts'
import { type WholeWorld, wholeWorld } from './world/inhabitants.ts'
import { integrators, walletIntegrators } from './world/integrator.ts'
import { describeClient, describeWorld, newWorld, type World } from './world/world.ts'

export interface Sandbox {
  /** The service: one request in, one answer out, no fault, no socket. Never throws for a bad request. */
  answer(request: HttpRequest, shape?: Shape, note?: Note, arrival?: Arrival): Promise<HttpAnswer>
  /** How it stands as a request comes in. */
  arrive(): Promise<Arrival>
  /** Who pays out and receives payouts, with secrets and present balances. Makes no keys. */
  world(): Promise<World>
  /** Everybody, with keys: those that nobody has needed so far are made. */
  wholeWorld(): Promise<WholeWorld>
  /** What an integrator needs to seal and open; null if nobody has the name. */
  integrator(name: string): Promise<AttachedIntegrator | null>
  walletIntegrator(name: string): Promise<AttachedWalletIntegrator | null>
  /** What happened. */
  ledger(): Promise<Ledger>
  /** The page at an order's checkout address, and the forms that payers send from it. */
  checkout(request: HttpRequest): Promise<HttpAnswer>
  /** Plays the payer, the bank, or the service. */
  trigger(triggered: Triggered): Promise<Played>
  /** The sandbox's time. */
  clock(): Promise<ClockState>
  /** Moves it forward, for everybody who uses this world. Throws Failure('usage') for a moment that is over. */
  moveClock(to: (now: number) => number): Promise<ClockState>
  /** A new world: new name, new secrets, opening balances, nothing paid, no faults. */
  reset(): Promise<void>
  readonly faults: Faults
  /** What integrators are told. */
  readonly callbacks: CallbackSender
  /** What came in from outside. */
  readonly requests: RequestLog
  /** Looks anything up, after everything that is due has happened: for the sandbox's own pages. */
  look<Result>(work: (db: SandboxReader, now: number) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

async function seals(store: Store<SandboxTables>, random: Random, who: (typeof walletIntegrators)[number]) {
  const { servicePublicKey, privateKey } = await keysOf(store, random, who)
  return { scheme: who.scheme, servicePublicKey, privateKey }
}

/** The sandbox on a store; an empty one gets a world. */
export async function sandboxOn(store: Store<SandboxTables>, clock: Clock, random: Random): Promise<Sandbox> {
  await store.write(async (db) => {
    if (!(await readWorld(db))) await replaceWorld(db, newWorld(clock.now(), random))
  })
  const requests = requestLog(store)
  const around = async (shape: Shape = 'documented', note: Note = noNote, arrival?: Arrival): Promise<Surroundings> => {
    const { clock: now, worldId } = arrival ?? (await arrive(store, clock))
    return { store, random, shape, note, worldId, clock: now }
  }
  const world = async () => await readSettled(await around(), seeWorld)
  return {
    answer: async (request, shape, note, arrival) => await answerAny(request, await around(shape, note, arrival)),
    arrive: async () => await arrive(store, clock),
    world,
    wholeWorld: async () => await wholeWorld(store, random, await world()),
    integrator: async (name) => {
      const who = integrators.find((each) => each.name === name)
      if (!who) return null
      return { integratorId: who.identifier, orderType: who.orderType, ...(await seals(store, random, who)) }
    },
    walletIntegrator: async (name) => {
      const who = walletIntegrators.find((each) => each.name === name)
      return who ? { identifier: who.identifier, ...(await seals(store, random, who)) } : null
    },
    ledger: async () => await readSettled(await around(), readLedger),
    checkout: async (request) => await answerCheckout(request, await around()),
    trigger: async (triggered) => await play(await around(), triggered),
    clock: async () => await clockState(store, clock),
    moveClock: async (to) => await moveClock(store, clock, to),
    reset: async () => {
      requests.forget()
      const next = newWorld(clock.now(), random)
      await store.write(async (db) => {
        // How callbacks are sent is a setting, and stays.
        await replaceWorld(db, { ...next, world: { ...next.world, callbacks: await callbackForm(db) } })
      })
    },
    faults: keptFaults(store),
    callbacks: callbacksOf(() => around(), clock),
    requests,
    look: async (work) => await readSettled(await around(), work),
    close: async () => {
      await requests.flush()
      await store.close()
    },
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
  const store = await openStore<SandboxTables>(path, sandboxSchema, { sharesCommits: true })
  try {
    return await sandboxOn(store, clock, random)
  } catch (error) {
    await store.close()
    throw error
  }
}
