/**
 * The core of the sandbox: a world in a store, its clock, its faults, its log, and the service that answers requests in it.
 * The abilities of the service are handed in, room by room. It has no socket of its own: `server/` gives it one, the
 * simulator calls it directly.
 */

import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import type { SandboxReader } from '../store/sandbox/schema.ts'
import { listAccounts, listClients, listClientsOfWorld, listReceivers } from '../store/sandbox/world.ts'
import { keysOf } from './access/key-ring.ts'
import { type RequestContext, readRequestContext } from './access/request-context.ts'
import { signInRoute } from './access/sign-in.ts'
import { type ClockState, clockState, moveClock } from './clock/clock.ts'
import { readUpToDate } from './clock/due.ts'
import { tellRooms } from './events.ts'
import { type Faults, keptFaults } from './faults/fault.ts'
import type { Surroundings } from './handler.ts'
import { type RecordFacts, recordNothing } from './log/facts.ts'
import { type RequestLog, requestLog } from './log/log.ts'
import type { Room } from './room.ts'
import { answerBy } from './routes.ts'
import type { Shape } from './shape.ts'
import { assumedSwitches, type Switches } from './switches.ts'
import { beginAnew, type Ground, makeWorld, type NewWorld, numberFrom } from './world/begin.ts'
import { integrators, type Sealer, walletIntegrators } from './world/integrator.ts'
import type { IntegratorSeals, WalletIntegratorSeals } from './world/seals.ts'
import { type ChangedSettings, setSettings } from './world/settings.ts'
import { type ClientIdentity, describeClient, describeWorld, signInOf, type World } from './world/world.ts'

export interface Service {
  /** One request in, one answer out, no fault, no socket. Never throws for a bad request. */
  answer(request: HttpRequest, shape?: Shape, record?: RecordFacts, context?: RequestContext): Promise<HttpAnswer>
  /** The state of the sandbox as a request comes in. */
  requestContext(): Promise<RequestContext>
  /** The surroundings that a request of the documented shape would have now: for everything that happens beside requests. */
  around(): Promise<Surroundings>
  /** The clients that pay out and the receivers of payouts, with secrets and present balances. Makes no keys. */
  world(): Promise<World>
  /** The clients that sign in to pay out: no balance is looked at, and no time passes. */
  clients(): Promise<{ readonly worldId: string; readonly clients: readonly ClientIdentity[] }>
  /** The keys of an integrator, to seal and open with; null for an unknown name. */
  integrator(name: string): Promise<IntegratorSeals | null>
  walletIntegrator(name: string): Promise<WalletIntegratorSeals | null>
  /** The sandbox's time. */
  clock(): Promise<ClockState>
  /** Moves it forward, for all that use this world. Throws Failure('usage') for a moment that is over. */
  moveClock(to: (now: number) => number): Promise<ClockState>
  /**
   * A new world: new name, new secrets, opening balances, nothing paid, no faults; settings stay that are not changed. Its
   * transactions are numbered from `firstTransactionId` (digits), or as usual.
   */
  reset(begins?: NewWorld): Promise<void>
  /** Changes what is accepted from here on. */
  set(changed: ChangedSettings): Promise<void>
  /** Numbers transactions from here on. Throws Failure('usage') where such a number may have been given already. */
  numberTransactionsFrom(id: string): Promise<void>
  readonly faults: Faults
  /** The log of requests from outside. */
  readonly requests: RequestLog
  /** Looks anything up, after everything that is due has happened: for the sandbox's own pages. */
  look<Result>(work: (db: SandboxReader, now: number) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** The abilities that rooms give to it. */
export interface Furnishing {
  /** Their order is that of the moves of one moment. */
  readonly rooms: readonly Room[]
  /** Descriptions of payouts that decide how they end. */
  readonly magicDescriptions: World['magicDescriptions']
  /** As assumed, if not given. */
  readonly switches?: Switches | undefined
}

type Surround = (shape?: Shape, record?: RecordFacts, context?: RequestContext) => Promise<Surroundings>

function surroundings({ store, clock, random }: Ground, { rooms, switches = assumedSwitches }: Furnishing): Surround {
  const moves = rooms.flatMap((room) => room.moves ?? [])
  const tell = tellRooms(rooms.flatMap(({ on }) => on ?? []))
  return async (shape = 'documented', record = recordNothing, context) => {
    const { clock: now, worldId, settings, payersAt } = context ?? (await readRequestContext(store, clock))
    return { store, random, shape, record, worldId, settings, payersAt, moves, tell, switches, clock: now }
  }
}

async function seals({ store, random }: Ground, who: Sealer) {
  const { servicePublicKey, privateKey } = await keysOf(store, random, who)
  return { scheme: who.scheme, servicePublicKey, privateKey }
}

async function seeWorld(
  db: SandboxReader,
  worldId: string,
  magicDescriptions: World['magicDescriptions'],
): Promise<World> {
  const accounts = await listAccounts(db)
  const clients = (await listClients(db)).map((client) =>
    describeClient(
      client,
      accounts.filter((each) => each.client_id === client.client_id),
    ),
  )
  return describeWorld(worldId, clients, await listReceivers(db), magicDescriptions)
}

/** The service on a store; an empty one gets a world. */
export async function serviceOn(ground: Ground, furnishing: Furnishing): Promise<Service> {
  const { rooms, magicDescriptions } = furnishing
  const { store, clock } = ground
  await makeWorld(ground)
  const requests = requestLog(store)
  const around = surroundings(ground, furnishing)
  const answer = answerBy([signInRoute, ...rooms.flatMap(({ routes = [] }) => routes)])
  return {
    answer: async (request, shape, record, context) => await answer(request, await around(shape, record, context)),
    requestContext: async () => await readRequestContext(store, clock),
    around: async () => await around(),
    world: async () => {
      const surroundings = await around()
      return await readUpToDate(surroundings, (db) => seeWorld(db, surroundings.worldId, magicDescriptions))
    },
    clients: async () => {
      const clients = await store.ask(listClientsOfWorld)
      return { worldId: clients[0]?.world_id ?? '', clients: clients.map(signInOf) }
    },
    integrator: async (name) => {
      const who = integrators.find((each) => each.name === name)
      return who ? { integratorId: who.identifier, orderType: who.orderType, ...(await seals(ground, who)) } : null
    },
    walletIntegrator: async (name) => {
      const who = walletIntegrators.find((each) => each.name === name)
      return who ? { identifier: who.identifier, ...(await seals(ground, who)) } : null
    },
    clock: async () => await clockState(store, clock),
    moveClock: async (to) => await moveClock(store, clock, to),
    reset: async (begins = {}) => {
      requests.forget()
      await beginAnew(ground, begins)
    },
    set: async (changed) => await store.write((db) => setSettings(db, changed)),
    numberTransactionsFrom: async (id) => await store.write((db) => numberFrom(db, id)),
    faults: keptFaults(store, clock),
    requests,
    look: async (work) => await readUpToDate(await around(), work),
    close: async () => {
      await requests.flush()
      await store.close()
    },
  }
}
