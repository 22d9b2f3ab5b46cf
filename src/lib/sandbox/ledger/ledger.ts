/** What really happened: the truth that tests compare with what a client believes. */
import type { JsonNumber } from '../../contract/core/decimal.ts'
import { listSentCallbacks } from '../../store/sandbox/callbacks.ts'
import { listCards, listSubscriptions } from '../../store/sandbox/cards.ts'
import { listOrders } from '../../store/sandbox/orders.ts'
import { type ExecutedPayout, listPayouts } from '../../store/sandbox/sandbox.ts'
import type { SandboxReader } from '../../store/sandbox/schema/schema.ts'
import { listUsers } from '../../store/sandbox/users.ts'
import { listWalletOrders } from '../../store/sandbox/wallet.ts'
import { describeForLedger, type LedgerCallback } from '../callbacks/look.ts'
import { localTime } from '../clock/clock.ts'
import { describeOrder, type LedgerOrder } from '../orders/ledger.ts'
import { payoutRequest } from '../payouts/value.ts'
import { money } from '../world/world.ts'
import {
  describeCard,
  describeSubscription,
  describeUser,
  describeWalletOrder,
  type LedgerCard,
  type LedgerSubscription,
  type LedgerUser,
  type LedgerWalletOrder,
} from './entries.ts'

export interface LedgerPayout {
  readonly uniqueId: string
  /** Text: these numbers exceed 2^53. */
  readonly transactionId: string
  readonly amount: JsonNumber
  readonly currency: string
  readonly status: string
  /** How often money left for it; 0 while the balance does not cover it, never more than 1. */
  readonly executions: number
  readonly clientId: string
  readonly createdAt: string
}

export interface Ledger {
  readonly payouts: readonly LedgerPayout[]
  readonly orders: readonly LedgerOrder[]
  readonly walletOrders: readonly LedgerWalletOrder[]
  readonly cards: readonly LedgerCard[]
  readonly subscriptions: readonly LedgerSubscription[]
  readonly users: readonly LedgerUser[]
  /** What integrators were told. */
  readonly callbacks: readonly LedgerCallback[]
}

function describePayout(payout: ExecutedPayout): LedgerPayout {
  return {
    uniqueId: payoutRequest(payout).uniqueId,
    transactionId: payout.transaction_id,
    amount: money(payout.amount),
    currency: payout.currency,
    status: payout.status,
    executions: payout.executions,
    clientId: payout.client_id,
    createdAt: localTime(payout, 6),
  }
}

/** Of one row after the other: a world has few. */
async function each<Row, Entry>(rows: readonly Row[], describe: (row: Row) => Promise<Entry>): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const row of rows) entries.push(await describe(row))
  return entries
}

export async function readLedger(db: SandboxReader, now: number): Promise<Ledger> {
  return {
    payouts: (await listPayouts(db)).map(describePayout),
    orders: await each(await listOrders(db), (order) => describeOrder(db, order)),
    walletOrders: (await listWalletOrders(db)).map((order) => describeWalletOrder(order, now)),
    cards: await each(await listCards(db), (card) => describeCard(db, card)),
    subscriptions: await each(await listSubscriptions(db), (plan) => describeSubscription(db, plan)),
    users: (await listUsers(db)).map(describeUser),
    callbacks: await each(await listSentCallbacks(db, null), (callback) => describeForLedger(db, callback)),
  }
}
