/** The sandbox: the whole service, small, on the user's own machine. Here, and nowhere else, its rooms are put together. */
import { resolve } from 'node:path'
import { ratesToGel } from '../contract/assumed.ts'
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Clock, Random } from '../edge.ts'
import type { ResultOf } from '../result.ts'
import { openStore } from '../store/engine/sqlite.ts'
import type { Store } from '../store/engine/store.ts'
import { type SandboxTables, sandboxSchema } from '../store/sandbox/schema.ts'
import { type CallbackSender, callbackRoom, callbacksOf } from './callbacks/callbacks.ts'
import { callbackLedger } from './callbacks/look.ts'
import { cardRoom } from './cards/cards.ts'
import { cardLedger } from './cards/ledger.ts'
import { printedTestCards } from './cards/test-card.ts'
import { checkoutPage } from './checkout/page.ts'
import { readUpToDate } from './clock/due.ts'
import { type LedgerOf, readLedger } from './ledger/ledger.ts'
import { openApiPage } from './openapi/page.ts'
import { orderLedger } from './orders/ledger/ledger.ts'
import { orderRoom } from './orders/orders.ts'
import { magicDescriptions } from './payouts/advance.ts'
import { payoutLedger } from './payouts/ledger.ts'
import { payoutRoom } from './payouts/payouts.ts'
import { type StatementWish, type WrittenStatement, writeStatement } from './payouts/statement.ts'
import type { worldResult } from './result.ts'
import type { Room } from './room.ts'
import type { PagedService } from './server/page.ts'
import { type Service, serviceOn } from './service.ts'
import { subscriptionLedger } from './subscriptions/ledger.ts'
import { subscriptionRoom } from './subscriptions/subscriptions.ts'
import type { Switches } from './switches.ts'
import { type Played, play, type Triggered } from './trigger/trigger.ts'
import { userLedger } from './users/ledger.ts'
import { userRoom } from './users/users.ts'
import { walletLedger } from './wallet/ledger.ts'
import { qrAddresses } from './wallet/qr-address.ts'
import { walletRoom } from './wallet/wallet.ts'
import { windowPage } from './window/window.ts'
import { receivers } from './world/receiver.ts'
import { worldTenants } from './world/tenants.ts'

/** Orders before subscriptions: a payment that ends saves the card of a plan. Plans hear of an order before integrators do. */
export const rooms: readonly Room[] = [
  payoutRoom,
  orderRoom,
  subscriptionRoom,
  callbackRoom,
  userRoom,
  walletRoom,
  cardRoom,
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

/** The world as `sandbox world` shows it. */
export type WholeWorld = ResultOf<typeof worldResult>

/** A value to choose from a list, its words in the list, and more about it. */
interface Offer {
  readonly value: string
  readonly name: string
  readonly description: string
}

export interface Sandbox extends PagedService {
  /** All clients, integrators and receivers, with keys: those that are missing are made. */
  wholeWorld(): Promise<WholeWorld>
  /** The ledger of everything that happened. */
  ledger(): Promise<Ledger>
  /** A day of its accounts as a bank tells of it. */
  statement(wish: StatementWish): Promise<WrittenStatement>
  /** Plays the payer, the bank, or the service. */
  trigger(triggered: Triggered): Promise<Played>
  /** The sender of messages to integrators. */
  readonly callbacks: CallbackSender
  /** The receivers of orders, or the addresses of payment QR codes. */
  receivers(part: 'orders' | 'wallet'): readonly Offer[]
}

const rates = {
  GEL: new JsonNumber(ratesToGel.GEL),
  USD: new JsonNumber(ratesToGel.USD),
  EUR: new JsonNumber(ratesToGel.EUR),
}

function pagesOf(service: Service, trigger: Sandbox['trigger']) {
  return [openApiPage(service), windowPage(service, trigger), checkoutPage(service)]
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
export async function sandboxOn(
  store: Store<SandboxTables>,
  clock: Clock,
  random: Random,
  switches?: Switches,
): Promise<Sandbox> {
  const service = await serviceOn({ store, clock, random }, { rooms, magicDescriptions, switches })
  const trigger = async (triggered: Triggered) => await play(await service.around(), triggered)
  return {
    ...service,
    trigger,
    pages: pagesOf(service, trigger),
    wholeWorld: async () => ({
      ...(await worldTenants(store, random, await service.world())),
      ...{ qrAddresses, testCards: printedTestCards, rates, settings: (await service.around()).settings },
    }),
    ledger: async () => await readUpToDate(await service.around(), (db, now) => readLedger(ledgerParts, db, now)),
    statement: async (wish) => await readUpToDate(await service.around(), (db, now) => writeStatement(db, now, wish)),
    callbacks: callbacksOf(service.around, clock),
    receivers: receiversOf,
  }
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
