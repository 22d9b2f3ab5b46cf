/**
 * The sandbox: the whole service, small, on the user's own machine. A world in a store, its clock, faults and log, and the
 * answers to requests in it. It has no socket: `server/` gives it one, the simulator calls it directly.
 */
import { resolve } from 'node:path'
import { ratesToGel } from '../contract/assumed.ts'
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Clock, Random } from '../edge.ts'
import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import type { ResultOf } from '../result.ts'
import { openStore } from '../store/engine/sqlite.ts'
import type { Store } from '../store/engine/store.ts'
import { type Row, type SandboxReader, type SandboxTables, sandboxSchema } from '../store/sandbox/schema.ts'
import { changeWorld, readWorldState } from '../store/sandbox/world.ts'
import { signInRoute } from './access/bearer.ts'
import { type Integrator, integrators, receivers, type Sealer, walletIntegrators } from './accounts/fixtures.ts'
import { type Keys, keysOf } from './accounts/keys.ts'
import { type ChangedSettings, setSettings, worldSettings } from './accounts/settings.ts'
import {
  makeWorld,
  type NewWorld,
  numberTransactionsFrom,
  readClients,
  readWorldMembers,
  resetWorld,
  type World,
  type WorldClients,
  worldTenants,
} from './accounts/world.ts'
import { type Callback, callbackLedger, readCallbacks } from './areas/callbacks.ts'
import { cardLedger, cardRoute, printedTestCards } from './areas/cards.ts'
import { orderRoutes } from './areas/orders/orders.ts'
import { advanceOrders } from './areas/orders/payment.ts'
import { orderLedger } from './areas/orders/read.ts'
import { advanceRefunds } from './areas/orders/refund.ts'
import { advancePayouts, payoutLedger, payoutRoutes } from './areas/payouts.ts'
import { advanceSubscriptions, subscriptionLedger, subscriptionRoutes } from './areas/subscriptions.ts'
import { registerRoute, userLedger } from './areas/users.ts'
import { qrAddresses, walletLedger, walletRoutes } from './areas/wallet.ts'
import { type ClockState, clockState, moveClock } from './clock.ts'
import { type Courier, type CourierSettings, startCourier } from './courier.ts'
import { faultsIn } from './faults.ts'
import { type HandlerContext, type Move, type Route, readUpToDate } from './handler.ts'
import { recordNothing } from './log/facts.ts'
import { requestLog } from './log/log.ts'
import type { ledgerResult, worldResult } from './result.ts'
import { answerBy } from './routes.ts'
import type { SandboxPage } from './server/server.ts'
import { type StatementRequest, type WrittenStatement, writeStatement } from './statement.ts'
import { type Played, play, type Triggered } from './trigger.ts'

export const routes: readonly Route[] = [
  ...[signInRoute, registerRoute, cardRoute],
  ...[...payoutRoutes, ...orderRoutes, ...subscriptionRoutes, ...walletRoutes],
]

/** Orders before subscriptions: a payment that ends saves the card of a plan. */
const moves: readonly Move[] = [advancePayouts, advanceOrders, advanceRefunds, advanceSubscriptions]

export type Ledger = ResultOf<typeof ledgerResult>

async function readLedger(db: SandboxReader, now: number): Promise<Ledger> {
  return {
    payouts: await payoutLedger(db),
    orders: await orderLedger(db),
    walletOrders: await walletLedger(db, now),
    cards: await cardLedger(db),
    subscriptions: await subscriptionLedger(db),
    users: await userLedger(db),
    callbacks: await callbackLedger(db),
  }
}

export type WholeWorld = ResultOf<typeof worldResult>

const rates = {
  GEL: new JsonNumber(ratesToGel.GEL),
  USD: new JsonNumber(ratesToGel.USD),
  EUR: new JsonNumber(ratesToGel.EUR),
}

/** The keys are base64 of the DER in one line. */
interface Seals extends Pick<Sealer, 'scheme'>, Pick<Keys, 'servicePublicKey' | 'servicePrivateKey' | 'privateKey'> {}

export interface IntegratorSeals extends Seals, Pick<Integrator, 'orderType'> {
  readonly integratorId: string
}

export interface WalletIntegratorSeals extends Seals {
  readonly identifier: string
}

/** A value to choose from a list, its words in the list, and more about it. */
interface Offer {
  readonly value: string
  readonly name: string
  readonly description: string
}

/** The receivers of orders, or the addresses of payment QR codes. */
function receiversOf(part: 'orders' | 'wallet'): readonly Offer[] {
  if (part === 'wallet') {
    return qrAddresses.map(({ uri, amount, what }) => {
      const name = amount === null ? what : `${what}, ${amount.text}`
      return { value: uri, name, description: uri }
    })
  }
  return receivers
    .filter(({ use }) => use === 'orders')
    .map(({ receiverId, name, note }) => {
      return { value: receiverId, name, description: note === '' ? receiverId : `${receiverId}: ${note}` }
    })
}

/** The sandbox on a store; an empty one gets a world. */
export async function createSandbox(store: Store<SandboxTables>, clock: Clock, random: Random) {
  const base = { store, clock, random }
  await makeWorld(base)
  const requests = requestLog(store)
  const answerRequest = answerBy(routes)

  const context = async (): Promise<HandlerContext> => {
    const state = await store.ask(readWorldState)
    const sleep: Clock['sleep'] = (milliseconds, signal) => clock.sleep(milliseconds, signal)
    return {
      ...{ store, random, moves, record: recordNothing, shape: 'documented', checkoutBase: 'http://127.0.0.1' },
      clock: { now: () => clock.now() + state.clock_offset, steady: () => clock.steady(), sleep },
      worldId: state.world_id,
      settings: worldSettings(state),
      hasFaults: state.faults === 1,
    }
  }
  /** Looks anything up, after everything that is due has happened. */
  const read = async <Result>(look: (db: SandboxReader, now: number) => Promise<Result>): Promise<Result> =>
    await readUpToDate(await context(), look)
  /** The clients that pay out and the receivers of payouts, with secrets and present balances. Makes no keys. */
  const world = async (): Promise<World> => await read(readWorldMembers)
  const sealsOf = async (who: Sealer): Promise<Seals> => {
    const { servicePublicKey, servicePrivateKey, privateKey } = await keysOf(base, who)
    return { scheme: who.scheme, servicePublicKey, servicePrivateKey, privateKey }
  }

  const sandbox = {
    ...{ context, read, world, requests },
    /** One request in, one answer out, no fault, no socket. Never throws for a bad request. */
    answer: async (request: HttpRequest, given?: HandlerContext): Promise<HttpAnswer> =>
      await answerRequest(request, given ?? (await context())),
    /** The clients that sign in to pay out: no balance is looked at, and no time passes. */
    clients: async (): Promise<WorldClients> => await store.ask(readClients),
    /** All clients, integrators and receivers, with keys: those that are missing are made. */
    wholeWorld: async (): Promise<WholeWorld> => ({
      ...(await worldTenants(store, random, await world())),
      ...{ qrAddresses, testCards: printedTestCards, rates, settings: (await context()).settings },
    }),
    receivers: receiversOf,
    /** The keys of an integrator, to seal and open with; null for an unknown name. */
    async integrator(name: string): Promise<IntegratorSeals | null> {
      const who = integrators.find((each) => each.name === name)
      return who ? { integratorId: who.identifier, orderType: who.orderType, ...(await sealsOf(who)) } : null
    },
    async walletIntegrator(name: string): Promise<WalletIntegratorSeals | null> {
      const who = walletIntegrators.find((each) => each.name === name)
      return who ? { identifier: who.identifier, ...(await sealsOf(who)) } : null
    },
    ledger: async (): Promise<Ledger> => await read(readLedger),
    statement: async (request: StatementRequest): Promise<WrittenStatement> =>
      await read((db, now) => writeStatement(db, now, request)),
    trigger: async (triggered: Triggered): Promise<Played> => await play(await context(), triggered),
    callbacks: {
      /** All of them, or those of one order. Throws Failure('not-found') for an unknown order. */
      list: async (order?: string): Promise<Callback[]> => await read((db) => readCallbacks(db, order)),
      /** From now on they are sealed, or plain JSON. Those that wait stay as they are. */
      setForm: async (callbacks: Row<'world'>['callbacks']): Promise<void> =>
        await store.write((db) => changeWorld(db, { callbacks })),
      /** Sends what is due until it is closed. One at a time is enough; more would send things more often than once. */
      courier: (settings: Omit<CourierSettings, 'clock'>): Courier => startCourier(context, { ...settings, clock }),
    },
    faults: faultsIn(store, clock),
    clock: async (): Promise<ClockState> => await clockState(store, clock),
    /** Moves it forward, for all that use this world. Throws Failure('usage') for a moment that is over. */
    moveClock: async (to: (now: number) => number): Promise<ClockState> => await moveClock(store, clock, to),
    set: async (changed: ChangedSettings): Promise<void> => await store.write((db) => setSettings(db, changed)),
    /** Numbers transactions from here on. Throws Failure('usage') where such a number may have been given already. */
    numberTransactionsFrom: async (id: string): Promise<void> =>
      await store.write((db) => numberTransactionsFrom(db, id)),
    /**
     * A new world: new name, new secrets, opening balances, nothing paid, no faults; settings stay that are not changed. Its
     * transactions are numbered from `firstTransactionId` (digits), or as usual.
     */
    async reset(begins: NewWorld = {}): Promise<void> {
      requests.forget()
      await resetWorld(base, begins)
    },
    /** Loaded when a page is asked for: most runs of the sandbox answer operations only. */
    async pages(): Promise<readonly SandboxPage[]> {
      const [{ openApiPage }, { consolePage }, { checkoutPage }] = await Promise.all([
        import('./openapi.ts'),
        import('./console/console.ts'),
        import('./checkout/checkout.ts'),
      ])
      return [openApiPage(sandbox), consolePage(sandbox), checkoutPage(sandbox)]
    },
    async close(): Promise<void> {
      await requests.flush()
      await store.close()
    },
  }
  return sandbox
}

export type Sandbox = Readonly<Awaited<ReturnType<typeof createSandbox>>>

/** The sandbox of a directory; several processes may have it open. */
export async function openSandbox(directory: string, clock: Clock, random: Random): Promise<Sandbox> {
  const path = resolve(directory, 'sandbox.db')
  const store = await openStore<SandboxTables>(path, sandboxSchema, { sharesCommits: true })
  try {
    return await createSandbox(store, clock, random)
  } catch (error) {
    await store.close()
    throw error
  }
}
