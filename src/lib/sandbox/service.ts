/**
 * The core of the sandbox: a world in a store, its clock, its faults, its log, and the service that answers requests
 * in it. It knows no area; they are handed in. It has no socket: `server/` gives it one, the simulator calls it
 * directly.
 */

import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import type { SandboxReader } from '../store/sandbox/schema.ts'
import { signInRoute } from './access/bearer.ts'
import { type Integrator, integrators, type Sealer, walletIntegrators } from './accounts/fixtures.ts'
import { type Keys, keysOf } from './accounts/keys.ts'
import { type ChangedSettings, setSettings } from './accounts/settings.ts'
import {
  makeWorld,
  type NewWorld,
  numberTransactionsFrom,
  readClients,
  readWorldMembers,
  resetWorld,
  type ServiceBase,
  type World,
  type WorldClients,
} from './accounts/world.ts'
import { type ClockState, clockState, moveClock } from './clock.ts'
import { faultsIn } from './faults.ts'
import {
  assumedSwitches,
  emitTo,
  type HandlerContext,
  type RequestContext,
  readRequestContext,
  readUpToDate,
  type SandboxArea,
  type Switches,
} from './handler.ts'
import { type RecordFacts, recordNothing } from './log/facts.ts'
import { requestLog } from './log/log.ts'
import { answerBy } from './routes.ts'
import type { Shape } from './shape.ts'

interface ServiceParts {
  /** Their order is that of the moves of one moment. */
  readonly areas: readonly SandboxArea[]
  /** Descriptions of payouts that decide how they end. */
  readonly magicDescriptions: World['magicDescriptions']
  readonly switches?: Switches | undefined
}

type MakeContext = (shape?: Shape, record?: RecordFacts, request?: RequestContext) => Promise<HandlerContext>

function contextMaker(base: ServiceBase, { areas, switches = assumedSwitches }: ServiceParts): MakeContext {
  const { store, clock, random } = base
  const moves = areas.flatMap((area) => area.moves ?? [])
  const emit = emitTo(areas.flatMap(({ on }) => on ?? []))
  return async (shape = 'documented', record = recordNothing, request) => {
    const { clock: now, worldId, settings, checkoutBase } = request ?? (await readRequestContext(store, clock))
    return { store, random, shape, record, worldId, settings, checkoutBase, moves, emit, switches, clock: now }
  }
}

/** Both keys are base64 of the DER in one line. */
interface Seals extends Pick<Sealer, 'scheme'>, Pick<Keys, 'servicePublicKey' | 'privateKey'> {}

export interface IntegratorSeals extends Seals, Pick<Integrator, 'orderType'> {
  readonly integratorId: string
}

export interface WalletIntegratorSeals extends Seals {
  readonly identifier: string
}

async function sealsOf(base: ServiceBase, who: Sealer): Promise<Seals> {
  const { servicePublicKey, privateKey } = await keysOf(base, who)
  return { scheme: who.scheme, servicePublicKey, privateKey }
}

/** The service on a store; an empty one gets a world. */
export async function createService(base: ServiceBase, parts: ServiceParts) {
  const { areas, magicDescriptions } = parts
  const { store, clock } = base
  await makeWorld(base)
  const requests = requestLog(store)
  const makeContext = contextMaker(base, parts)
  const answerRequest = answerBy([signInRoute, ...areas.flatMap(({ routes = [] }) => routes)])
  return {
    /** One request in, one answer out, no fault, no socket. Never throws for a bad request. */
    async answer(
      request: HttpRequest,
      shape?: Shape,
      record?: RecordFacts,
      context?: RequestContext,
    ): Promise<HttpAnswer> {
      return await answerRequest(request, await makeContext(shape, record, context))
    },
    requestContext: async (): Promise<RequestContext> => await readRequestContext(store, clock),
    /** The surroundings that a request of the documented shape would have now: for everything that happens beside requests. */
    context: async (): Promise<HandlerContext> => await makeContext(),
    /** The clients that pay out and the receivers of payouts, with secrets and present balances. Makes no keys. */
    world: async (): Promise<World> =>
      await readUpToDate(await makeContext(), (db) => readWorldMembers(db, magicDescriptions)),
    /** The clients that sign in to pay out: no balance is looked at, and no time passes. */
    clients: async (): Promise<WorldClients> => await store.ask(readClients),
    /** The keys of an integrator, to seal and open with; null for an unknown name. */
    async integrator(name: string): Promise<IntegratorSeals | null> {
      const who = integrators.find((each) => each.name === name)
      return who ? { integratorId: who.identifier, orderType: who.orderType, ...(await sealsOf(base, who)) } : null
    },
    async walletIntegrator(name: string): Promise<WalletIntegratorSeals | null> {
      const who = walletIntegrators.find((each) => each.name === name)
      return who ? { identifier: who.identifier, ...(await sealsOf(base, who)) } : null
    },
    clock: async (): Promise<ClockState> => await clockState(store, clock),
    /** Moves it forward, for all that use this world. Throws Failure('usage') for a moment that is over. */
    moveClock: async (to: (now: number) => number): Promise<ClockState> => await moveClock(store, clock, to),
    /**
     * A new world: new name, new secrets, opening balances, nothing paid, no faults; settings stay that are not changed. Its
     * transactions are numbered from `firstTransactionId` (digits), or as usual.
     */
    async reset(begins: NewWorld = {}): Promise<void> {
      requests.forget()
      await resetWorld(base, begins)
    },
    set: async (changed: ChangedSettings): Promise<void> => await store.write((db) => setSettings(db, changed)),
    /** Numbers transactions from here on. Throws Failure('usage') where such a number may have been given already. */
    numberTransactionsFrom: async (id: string): Promise<void> =>
      await store.write((db) => numberTransactionsFrom(db, id)),
    faults: faultsIn(store, clock),
    requests,
    /** Looks anything up, after everything that is due has happened: for the sandbox's own pages. */
    read: async <Result>(work: (db: SandboxReader, now: number) => Promise<Result>): Promise<Result> =>
      await readUpToDate(await makeContext(), work),
    async close(): Promise<void> {
      await requests.flush()
      await store.close()
    },
  }
}

export type Service = Readonly<Awaited<ReturnType<typeof createService>>>
