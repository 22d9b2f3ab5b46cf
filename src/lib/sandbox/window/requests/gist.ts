/** The gist of a request: how much, to whom, about which thing, told by the names of its members. */
import { fromMinorUnits } from '../../../contract/core/decimal.ts'
import { unitsOf } from '../../../contract/core/rules.ts'
import { isRecord, membersAsText, readJson } from '../../../json.ts'
import { subscriptionById } from '../../../store/sandbox/cards.ts'
import { findOrder, orderById } from '../../../store/sandbox/orders.ts'
import type { KeptRequest, OrderRow, SandboxReader } from '../../../store/sandbox/schema.ts'
import { rowNamed } from '../../../store/sandbox/search.ts'
import { findWalletOrder } from '../../../store/sandbox/wallet.ts'
import { payoutWithUniqueId } from '../../../store/sandbox/world.ts'
import { orderRequest, payoutRequest } from '../../ledger/accepted.ts'
import { money } from '../../world/money.ts'
import { receivers } from '../../world/receiver.ts'
import type { EntryLink } from '../sections/section.ts'

export interface Gist {
  readonly amount: string | null
  readonly payee: string | null
  /** As the request writes it. */
  readonly id: string | null
  /** The thing that it is about; null where there is none, as after a refusal. */
  readonly entry: EntryLink | null
}

/** The thing that a request is about. */
type Thing = Pick<Gist, 'amount' | 'payee' | 'entry'>

const nothing: Thing = { amount: null, payee: null, entry: null }

type Given = Readonly<Record<string, unknown>>

/** The first of these members that is a text. */
function textIn(members: Given, ...names: readonly string[]): string | null {
  const found = names.map((name) => members[name]).find((value) => typeof value === 'string')
  return found === undefined ? null : String(found)
}

export function receiverNamed(id: string | null | undefined): string | null {
  const lower = id?.toLowerCase()
  return receivers.find(({ receiverId }) => receiverId === lower)?.name ?? id ?? null
}

function thingOfOrder(order: OrderRow): Thing {
  return {
    amount: `${order.currency} ${money(order.amount)}`,
    payee: receiverNamed(orderRequest(order).receiverId),
    entry: { title: 'Order', view: 'orders', id: order.order_id },
  }
}

async function thingOf(db: SandboxReader, who: string, asked: Given, told: Given): Promise<Thing> {
  const orderId = textIn(asked, 'integratorOrderId')
  if (orderId !== null) {
    const order = await findOrder(db, who, orderId.toLowerCase())
    return order ? thingOfOrder(order) : nothing
  }
  const plan = textIn(asked, 'subscriptionId')
  if (plan !== null) {
    const known = await subscriptionById(db, plan.toLowerCase())
    const order = known && (await orderById(db, known.order_id))
    if (!order) return nothing
    return { ...thingOfOrder(order), entry: { title: 'Subscription', view: 'subscriptions', id: plan.toLowerCase() } }
  }
  const uniqueId = textIn(asked, 'uniqueId')
  const wallet = uniqueId === null ? null : await findWalletOrder(db, who, uniqueId)
  if (wallet) {
    const sum = wallet.amount === null ? null : `GEL ${money(wallet.amount)}`
    const entry = { title: 'Wallet order', view: 'wallet', id: `${wallet.identifier}/${wallet.unique_id}` }
    return { amount: sum, payee: receiverNamed(wallet.receiver_id), entry }
  }
  const transaction = textIn(told, 'transactionId') ?? textIn(asked, 'transaction_id', 'transactionId')
  const named = uniqueId === null ? null : await payoutWithUniqueId(db, who, uniqueId)
  const payout = named ?? (transaction === null ? null : await rowNamed(db, 'payouts', transaction))
  if (!payout || payout.client_id !== who) return nothing
  const { beneficiaryName, toIban, receiverId } = payoutRequest(payout)
  return {
    amount: `${payout.currency} ${money(payout.amount)}`,
    payee: beneficiaryName ?? receiverNamed(receiverId) ?? toIban ?? null,
    entry: { title: 'Payout', view: 'payouts', id: payout.transaction_id },
  }
}

function membersIn(text: string | null): Given {
  const value = text === null ? null : readJson(text)
  if (!isRecord(value)) return {}
  return membersAsText(isRecord(value.value) ? value.value : value)
}

/** The sum that was asked for; one that is no sum as it came. */
function sumAsked(asked: Given, { amount: known }: Thing): string | null {
  const text = textIn(asked, 'amount')
  if (text === null) return null
  const units = unitsOf(text)
  const currency = textIn(asked, 'currency') ?? known?.slice(0, 3)
  return [currency, units === null ? text : fromMinorUnits(units)].filter(Boolean).join(' ')
}

export async function gistOf(db: SandboxReader, { plain, answer, identifier }: KeptRequest): Promise<Gist> {
  const [asked, told] = [membersIn(plain), membersIn(answer)]
  const thing = await thingOf(db, identifier?.trim().toLowerCase() ?? '', asked, told)
  const payee =
    textIn(asked, 'beneficiaryName') ?? receiverNamed(textIn(asked, 'receiverId')) ?? textIn(asked, 'toIban')
  return {
    amount: sumAsked(asked, thing) ?? thing.amount,
    payee: payee ?? thing.payee,
    id: textIn(asked, 'integratorOrderId', 'uniqueId', 'subscriptionId', 'transaction_id', 'transactionId'),
    entry: thing.entry,
  }
}
