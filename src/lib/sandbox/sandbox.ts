/**
 * The sandbox: the whole service, small, on the user's own machine. Here, and nowhere else, its areas are put
 * together.
 */
import { resolve } from 'node:path'
import { ratesToGel } from '../contract/assumed.ts'
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Clock, Random } from '../edge.ts'
import type { ResultOf } from '../result.ts'
import { openStore } from '../store/engine/sqlite.ts'
import type { Store } from '../store/engine/store.ts'
import { type SandboxTables, sandboxSchema } from '../store/sandbox/schema.ts'
import { receivers } from './accounts/fixtures.ts'
import { worldTenants } from './accounts/world.ts'
import { cardArea, cardLedger, printedTestCards } from './areas/cards.ts'
import { orderArea } from './areas/orders/orders.ts'
import { orderLedger } from './areas/orders/read.ts'
import { magicDescriptions, payoutArea, payoutLedger } from './areas/payouts.ts'
import { subscriptionArea, subscriptionLedger } from './areas/subscriptions.ts'
import { userArea, userLedger } from './areas/users.ts'
import { qrAddresses, walletArea, walletLedger } from './areas/wallet.ts'
import { callbackArea, callbackLedger, callbacksOf } from './callbacks/callbacks.ts'
import { readUpToDate, type SandboxArea, type Switches } from './handler.ts'
import { type LedgerOf, readLedger } from './ledger.ts'
import type { worldResult } from './result.ts'
import type { SandboxPage } from './server/server.ts'
import { createService, type Service } from './service.ts'
import { type StatementWish, type WrittenStatement, writeStatement } from './statement.ts'
import { type Played, play, type Triggered } from './trigger.ts'

/** Orders before subscriptions: a payment that ends saves the card of a plan. Plans hear of an order before integrators do. */
export const areas: readonly SandboxArea[] = [
  payoutArea,
  orderArea,
  subscriptionArea,
  callbackArea,
  userArea,
  walletArea,
  cardArea,
]

const ledgerParts = {
  payouts: payoutLedger,
  orders: orderLedger,
  walletOrders: walletLedger,
  cards: cardLedger,
  subscriptions: subscriptionLedger,
  users: userLedger,
  /** The messages to integrators. */
  callbacks: callbackLedger,
}

export type Ledger = LedgerOf<typeof ledgerParts>

export type WholeWorld = ResultOf<typeof worldResult>

/** A value to choose from a list, its words in the list, and more about it. */
interface Offer {
  readonly value: string
  readonly name: string
  readonly description: string
}

const rates = {
  GEL: new JsonNumber(ratesToGel.GEL),
  USD: new JsonNumber(ratesToGel.USD),
  EUR: new JsonNumber(ratesToGel.EUR),
}

/** Loaded when a page is asked for: most runs of the sandbox answer operations only. */
async function loadPages(
  service: Service,
  trigger: (triggered: Triggered) => Promise<Played>,
): Promise<readonly SandboxPage[]> {
  const [{ openApiPage }, { consolePage }, { checkoutPage }] = await Promise.all([
    import('./openapi.ts'),
    import('./console/console.ts'),
    import('./checkout/checkout.ts'),
  ])
  return [openApiPage(service), consolePage(service, trigger), checkoutPage(service)]
}

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

/** The sandbox on a store; an empty one gets a world. Without switches the service is as assumed. */
export async function createSandbox(store: Store<SandboxTables>, clock: Clock, random: Random, switches?: Switches) {
  const service = await createService({ store, clock, random }, { areas, magicDescriptions, switches })
  const trigger = async (triggered: Triggered): Promise<Played> => await play(await service.context(), triggered)
  return {
    ...service,
    trigger,
    pages: () => loadPages(service, trigger),
    /** All clients, integrators and receivers, with keys: those that are missing are made. */
    wholeWorld: async (): Promise<WholeWorld> => ({
      ...(await worldTenants(store, random, await service.world())),
      ...{ qrAddresses, testCards: printedTestCards, rates, settings: (await service.context()).settings },
    }),
    statement: async (wish: StatementWish): Promise<WrittenStatement> =>
      await readUpToDate(await service.context(), (db, now) => writeStatement(db, now, wish)),
    ledger: async (): Promise<Ledger> =>
      await readUpToDate(await service.context(), (db, now) => readLedger(ledgerParts, db, now)),
    callbacks: callbacksOf(service.context, clock),
    receivers: receiversOf,
  }
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
