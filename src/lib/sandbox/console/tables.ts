/** Sections of the console that list a table each, and the balances. */
import { html } from 'hono/html'
import { withoutCardTokens } from '../../contract/mask.ts'
import { payoutEnd } from '../../contract/payout/status.ts'
import { walletEnd } from '../../contract/wallet/status.ts'
import type { Html } from '../../html.ts'
import { readJson, writeJson } from '../../json.ts'
import { receivedByAll } from '../../store/sandbox/orders.ts'
import { listRows } from '../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader } from '../../store/sandbox/schema.ts'
import { clients, nameOf, names } from '../accounts/fixtures.ts'
import { balancesOf } from '../accounts/world.ts'
import { describeCallback } from '../areas/callbacks.ts'
import { describeCard, testCards } from '../areas/cards.ts'
import { checkoutPath } from '../areas/orders/orders.ts'
import { type OrderStage, stageOf } from '../areas/orders/payment.ts'
import { describeOrder } from '../areas/orders/read.ts'
import { describePayout, statusDescription } from '../areas/payouts.ts'
import { describeSubscription } from '../areas/subscriptions.ts'
import { describeWalletOrder } from '../areas/wallet.ts'
import { localMoment } from '../clock.ts'
import { money, orderNameOf, orderRequest, payoutRequest } from '../ledger.ts'
import {
  callbackLinks,
  linksOfOrder,
  orderLink,
  type PageContext,
  type Section,
  shortMoment,
  type Tone,
  tableSection,
  toneOf,
} from './section.ts'

const payoutsSection = tableSection({
  name: 'payouts',
  title: 'Payouts',
  table: 'payouts',
  empty: 'Nothing was paid out in this world.',
  id: ({ transaction_id }) => transaction_id,
  status: ({ status }) => ({ tone: toneOf(payoutEnd(status)), words: status }),
  columns: [
    { name: 'amount', kind: 'amount', cell: ({ currency, amount }) => `${currency} ${money(amount)}` },
    {
      ...{ name: 'to', kind: 'words' },
      cell: (payout) => {
        const { beneficiaryName, toIban, receiverId } = payoutRequest(payout)
        return beneficiaryName ?? toIban ?? receiverId ?? null
      },
    },
    { name: 'transaction', kind: 'id', minor: true, cell: ({ transaction_id }) => transaction_id },
    { name: 'client', minor: true, cell: ({ client_id }) => nameOf(client_id) },
  ],
  heading: ({ currency, amount }) => `Payout of ${currency} ${money(amount)}`,
  entry: (payout) => ({
    ...payoutRequest(payout),
    ...describePayout(payout),
    statusDescription: statusDescription(payout.status, 'documented'),
    commissionAmount: money(payout.commission),
    debitedIban: payout.iban,
  }),
  more: (payout) => ({ about: payoutRequest(payout).uniqueId }),
})

const orderTones: Readonly<Record<OrderStage, Tone>> = {
  payable: 'waiting',
  'being-paid': 'waiting',
  held: 'waiting',
  paid: 'good',
  failed: 'bad',
  canceled: 'plain',
  expired: 'plain',
  refunding: 'waiting',
  'partly-refunded': 'waiting',
  refunded: 'waiting',
  'refund-failed': 'bad',
}

const button = (what: string, words: string) =>
  html`<button name="what" value="${what}" id="play-${what}">${words}</button>`

/** The moves that are still open to the payer, the bank or the service. */
function movesOf(order: OrderRow): Html | null {
  const decline = html`${button('declined', 'Decline')}${button('expired', 'Expire')}`
  switch (stageOf(order)) {
    case 'payable': {
      const cards = testCards.map(
        ({ name, outcome }) =>
          html`<option value="${name}">${name === outcome ? name : `${name}: ${outcome}`}</option>`,
      )
      return html`<label>Card <select name="card" id="play-card">${cards}</select></label>
      ${button('paid', 'Pay')}${decline}
      <a href="${checkoutPath}${order.order_id}" target="_blank" rel="noopener">Checkout page</a>`
    }
    case 'being-paid':
      return decline
    case 'refunding':
      return button('refund-failed', 'Let the refund fail')
    case 'paid':
    case 'partly-refunded':
    case 'refund-failed':
      if (order.paid === 0) return null
      return html`<label>Amount in ${order.currency} <input name="amount" id="play-amount" inputmode="decimal" placeholder="all that is left" size="14" autocomplete="off"></label>
      ${button('refunded', 'Refund')}`
    default:
      return null
  }
}

function actionsFor(order: OrderRow): Html | null {
  const moves = movesOf(order)
  return (
    moves &&
    html`<form method="post" action="/_sandbox/trigger" class="actions"><input type="hidden" name="order" value="${order.order_id}">${moves}</form>`
  )
}

const ordersSection = tableSection({
  name: 'orders',
  title: 'Orders',
  table: 'orders',
  empty: 'No order was created in this world.',
  id: ({ order_id }) => order_id,
  status: (order) => ({ tone: orderTones[stageOf(order)], words: order.status }),
  columns: [
    { name: 'amount', kind: 'amount', cell: ({ currency, amount }) => `${currency} ${money(amount)}` },
    { name: 'payee', kind: 'words', cell: (order) => nameOf(orderRequest(order).receiverId) },
    { name: 'integratorOrderId', kind: 'id', minor: true, cell: (order) => orderRequest(order).integratorOrderId },
    { name: 'integrator', minor: true, cell: ({ integrator_id }) => nameOf(integrator_id) },
  ],
  heading: ({ currency, amount }) => `Order of ${currency} ${money(amount)}`,
  entry: (order, { db }) => describeOrder(db, order),
  more: async (order, { db }) => ({
    about: orderRequest(order).integratorOrderId,
    links: await linksOfOrder(db, order.order_id),
    actions: actionsFor(order),
    texts: [{ title: 'Request', text: writeJson(withoutCardTokens(readJson(order.request)), 2) }],
  }),
})

const walletAmount = ({ paid, amount, minimum, maximum }: Row<'wallet_orders'>): string => {
  const fixed = paid ?? amount
  if (fixed !== null) return `GEL ${money(fixed)}`
  return minimum === null || maximum === null ? '' : `GEL ${money(minimum)} to ${money(maximum)}`
}

const walletSection = tableSection({
  name: 'wallet',
  title: 'Wallet orders',
  table: 'wallet_orders',
  empty: 'No wallet order was created in this world.',
  id: ({ identifier, unique_id }) => `${identifier}/${unique_id}`,
  status: (order, { now }) => {
    const { status } = describeWalletOrder(order, now)
    return { tone: toneOf(walletEnd(status)), words: status }
  },
  columns: [
    { name: 'amount', kind: 'amount', cell: walletAmount },
    { name: 'receiver', kind: 'words', cell: ({ receiver_id }) => (receiver_id === null ? null : nameOf(receiver_id)) },
    { name: 'uniqueId', kind: 'id', minor: true, cell: ({ unique_id }) => unique_id },
  ],
  heading: (order) => `Wallet order ${walletAmount(order)}`.trim(),
  entry: (order, { now }) => ({
    ...describeWalletOrder(order, now),
    ...{ statusInside: order.status, expiresAt: localMoment(order.expires), uri: order.uri },
  }),
  more: ({ unique_id }) => ({ about: unique_id }),
})

const cardsSection = tableSection({
  name: 'cards',
  title: 'Cards',
  table: 'cards',
  empty: 'No card was saved in this world.',
  id: ({ order_id }) => order_id,
  status: ({ expiration_date }) => ({ tone: 'plain', words: `until ${expiration_date}` }),
  columns: [
    { name: 'number', kind: 'id', cell: ({ card_mask }) => card_mask },
    { name: 'brand', cell: ({ card_brand }) => card_brand },
    { name: 'saved with', kind: 'id', minor: true, cell: ({ order_id }, { db }) => orderNameOf(db, order_id) },
    { name: 'integrator', minor: true, cell: ({ integrator_id }) => nameOf(integrator_id) },
  ],
  heading: ({ card_brand, card_mask }) => `${card_brand} ${card_mask}`,
  entry: (card, { db }) => describeCard(db, card),
  more: async ({ order_id }, { db }) => ({ about: await orderNameOf(db, order_id), links: [orderLink(order_id)] }),
})

const planTones: Readonly<Record<Row<'subscriptions'>['status'], Tone>> = {
  WAITING_FOR_CARD: 'waiting',
  ACTIVE: 'good',
  REVOKED: 'plain',
  ENDED: 'plain',
}

const nextAt = ({ due }: { readonly due: number | null }, { now }: PageContext) =>
  due === null ? null : shortMoment(due, now)

const subscriptionsSection = tableSection({
  name: 'subscriptions',
  title: 'Subscriptions',
  table: 'subscriptions',
  empty: 'There is no subscription in this world.',
  id: ({ subscription_id }) => subscription_id,
  status: ({ status }) => ({ tone: planTones[status], words: status }),
  columns: [
    { name: 'amount', kind: 'amount', cell: ({ amount }) => money(amount) },
    { name: 'every', cell: ({ interval, interval_count: n }) => (n === 1 ? interval : `${interval} × ${n}`) },
    { name: 'subscription', kind: 'id', minor: true, cell: ({ subscription_id }) => subscription_id },
    { name: 'next charge', kind: 'id', minor: true, zoned: true, cell: nextAt },
  ],
  heading: ({ amount }) => `Subscription of ${money(amount)}`,
  entry: async (plan, { db }) => ({
    ...(await describeSubscription(db, plan)),
    charges: (await listRows(db, 'charges', { subscription_id: plan.subscription_id })).map(
      ({ time, status, fail_reason: failReason }) => ({ time: localMoment(time), status, failReason }),
    ),
  }),
  more: async ({ order_id }, { db }) => ({
    about: await orderNameOf(db, order_id),
    links: [orderLink(order_id), ...(await callbackLinks(db, order_id))],
  }),
})

const callbackTones: Readonly<Record<Row<'callbacks'>['state'], Tone>> = {
  delivered: 'good',
  'given-up': 'bad',
  waiting: 'waiting',
}

/** A callback whose address can never be called was never tried: that is no failure. */
async function callbackStatus({ state, callback_id }: Row<'callbacks'>, { db }: PageContext) {
  const attempts = state === 'given-up' ? await listRows(db, 'callback_attempts', { callback_id }) : []
  const isNever = attempts.length > 0 && attempts.every(({ http, why }) => http === null && why?.startsWith('not sent'))
  return isNever ? { tone: 'plain' as const, words: 'not sent' } : { tone: callbackTones[state], words: state }
}

const callbacksSection = tableSection({
  name: 'callbacks',
  title: 'Callbacks',
  table: 'callbacks',
  empty: 'Nobody was told anything yet.',
  id: ({ callback_id }) => String(callback_id),
  status: callbackStatus,
  columns: [
    { name: 'kind', cell: ({ kind }) => kind },
    { name: 'address', kind: 'words', cell: ({ url }) => url },
    { name: 'next attempt', kind: 'id', minor: true, zoned: true, cell: nextAt },
  ],
  heading: ({ kind }) => `Callback of a ${kind}`,
  entry: async (callback, { db }) => {
    const { attempts, payload: _, ...known } = await describeCallback(db, callback)
    return { ...known, attempts: attempts.map(({ reply: __, ...attempt }) => attempt) }
  },
  more: async (callback, { db }) => {
    const { callback_id, order_id } = callback
    const { integratorOrderId, payload, attempts } = await describeCallback(db, callback)
    const replies = attempts.filter(({ reply }) => reply !== null && reply !== '')
    return {
      about: integratorOrderId,
      links: [orderLink(order_id)],
      actions: html`<form method="post" action="/_sandbox/callback/resend" class="actions"><input type="hidden" name="callback" value="${callback_id}">
    <input type="hidden" name="order" value="${order_id}"><button id="resend">Send it again</button></form>`,
      texts: [
        { title: 'Payload', text: writeJson(payload, 2) },
        ...replies.map(({ number, reply }) => ({ title: `Reply to attempt ${number}`, text: reply ?? '' })),
      ],
    }
  },
})

type BalanceCells = readonly [whose: string, what: string, currency: string, opening: string, now: string]

/** The accounts that payouts leave, and what orders and wallet payments brought each receiver. */
async function balances(db: SandboxReader): Promise<readonly BalanceCells[]> {
  const accounts = clients.map(async (client) =>
    (await balancesOf(db, client)).map(
      ({ iban, currency, opening, balance }) =>
        [client.name, iban, currency, `${money(opening)}`, `${money(balance)}`] as const,
    ),
  )
  const received = (await receivedByAll(db)).map(
    ({ receiver, currency, units }) =>
      [names.get(receiver) ?? 'an account outside', receiver, currency, '', `${money(units)}`] as const,
  )
  return [...(await Promise.all(accounts)).flat(), ...received]
}

const balancesSection: Section = {
  name: 'balances',
  title: 'Balances',
  table: null,
  columns: [
    { name: 'whose', kind: 'words' },
    { name: 'account or receiver', kind: 'id', minor: true },
    { name: 'currency' },
    { name: 'at first', kind: 'amount', minor: true },
    { name: 'now', kind: 'amount' },
  ],
  empty: 'Nobody has anything.',
  rows: async ({ db, words }) => {
    const isFound = (cells: BalanceCells) => {
      const text = cells.join(' ').toLowerCase()
      return words.every((spellings) => spellings.some((spelling) => text.includes(spelling.toLowerCase())))
    }
    return (await balances(db)).filter(isFound).map((cells) => ({ id: null, tone: 'plain', cells }))
  },
}

/** In the order in which the page shows them, behind the requests. */
export const tableSections: readonly Section[] = [
  ...[payoutsSection, ordersSection, walletSection, cardsSection, subscriptionsSection, callbacksSection],
  balancesSection,
]
