/** Sections of the console: orders, saved cards, subscriptions, callbacks. */
import { html } from 'hono/html'
import { withoutCardTokens } from '../../contract/mask.ts'
import type { Html } from '../../html.ts'
import { readJson, writeJson } from '../../json.ts'
import { listRows } from '../../store/sandbox/rows.ts'
import type { OrderRow, Row, SandboxReader } from '../../store/sandbox/schema.ts'
import { nameOf } from '../accounts/fixtures.ts'
import { describeCard, testCards } from '../areas/cards.ts'
import { checkoutPath } from '../areas/orders/orders.ts'
import { type OrderStage, stageOf } from '../areas/orders/payment.ts'
import { describeOrder, type LedgerOrder } from '../areas/orders/read.ts'
import { describeSubscription } from '../areas/subscriptions.ts'
import { localMoment } from '../clock.ts'
import { money, orderNameOf, orderRequest } from '../ledger.ts'
import {
  callbackLinks,
  type Facts,
  linksOfOrder,
  moment,
  orderLink,
  shortMoment,
  type Tone,
  tableSection,
} from './section.ts'

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

function factsOf(order: OrderRow, known: LedgerOrder, who: string): Facts {
  const request = orderRequest(order)
  const { currency, acquiringCurrency, distributionCurrency } = known
  return {
    State: [
      ['status', known.status],
      ['last try', known.failReason],
      ['integratorOrderId', known.integratorOrderId],
      ['checkout id', order.order_id],
      ['integrator', who],
      ['created', moment(known.createdAt)],
      ['valid until', order.valid_until === null ? null : moment(localMoment(order.valid_until))],
      ['subscription', known.subscriptionId],
      ['card', known.cardSaved ? 'saved' : null],
    ],
    Money: [
      ['amount', `${currency} ${known.amount}`],
      ['tip', order.tip === 0 ? null : `${currency} ${known.tip}`],
      ['charged', `${acquiringCurrency} ${known.acquiringAmount}`],
      ['charges', known.charges],
      ['commission', known.commissionType],
      ['refunded', known.refunds === 0 ? null : `${currency} ${known.refunded} in ${known.refunds}`],
    ],
    Shares: known.splits.map(({ receiverType, receiverIdentifier, amount, received, tip }) => [
      tip ? 'tip' : receiverType,
      `${nameOf(receiverIdentifier)}: ${amount}, has ${distributionCurrency} ${received}`,
    ]),
    Addresses: [
      ['callback', request.callbackUri ?? 'the default'],
      ['after success', request.successRedirectUri ?? 'the default'],
      ['after failure', request.failRedirectUri ?? 'the default'],
    ],
  }
}

export const ordersSection = tableSection({
  name: 'orders',
  title: 'Orders',
  table: 'orders',
  empty: 'No order was created in this world.',
  id: ({ order_id }) => order_id,
  tone: (order) => orderTones[stageOf(order)],
  columns: [
    { name: 'created', kind: 'id', zoned: true, cell: ({ created }, { now }) => shortMoment(created, now) },
    { name: 'amount', kind: 'amount', cell: ({ currency, amount }) => `${currency} ${money(amount)}` },
    { name: 'status', kind: 'status', cell: ({ status }) => status },
    { name: 'payee', kind: 'words', cell: (order) => nameOf(orderRequest(order).receiverId) },
    { name: 'integratorOrderId', kind: 'id', minor: true, cell: (order) => orderRequest(order).integratorOrderId },
    { name: 'integrator', minor: true, cell: ({ integrator_id }) => nameOf(integrator_id) },
  ],
  detail: async (order, { db }) => {
    const known = await describeOrder(db, order)
    return {
      title: `Order of ${known.currency} ${known.amount}`,
      tone: orderTones[stageOf(order)],
      status: known.status,
      about: known.integratorOrderId,
      links: await linksOfOrder(db, order.order_id),
      copies: [{ as: 'JSON', text: writeJson(known, 2) }],
      actions: actionsFor(order),
      facts: factsOf(order, known, nameOf(order.integrator_id)),
    }
  },
})

// Saved cards, and the subscriptions that charge them.

export const cardsSection = tableSection({
  name: 'cards',
  title: 'Cards',
  table: 'cards',
  empty: 'No card was saved in this world.',
  id: ({ order_id }) => order_id,
  tone: () => 'plain',
  columns: [
    { name: 'saved', kind: 'id', zoned: true, cell: ({ created }, { now }) => shortMoment(created, now) },
    { name: 'number', kind: 'id', cell: ({ card_mask }) => card_mask },
    { name: 'brand', cell: ({ card_brand }) => card_brand },
    { name: 'saved with', kind: 'id', minor: true, cell: ({ order_id }, { db }) => orderNameOf(db, order_id) },
    { name: 'integrator', minor: true, cell: ({ integrator_id }) => nameOf(integrator_id) },
  ],
  detail: async (row, { db }) => {
    const card = await describeCard(db, row)
    return {
      title: `${card.cardBrand} ${card.cardMask}`,
      tone: 'plain',
      status: `until ${card.expirationDate}`,
      links: [orderLink(row.order_id)],
      about: card.integratorOrderId,
      facts: {
        Card: [
          ['token', card.token],
          ['test card', card.card],
          ['provider', card.provider],
          ['integrator', nameOf(card.integratorId)],
          ['saved with', card.integratorOrderId],
          ['saved', moment(card.createdAt)],
        ],
      },
    }
  },
})

const planTones: Readonly<Record<Row<'subscriptions'>['status'], Tone>> = {
  WAITING_FOR_CARD: 'waiting',
  ACTIVE: 'good',
  REVOKED: 'plain',
  ENDED: 'plain',
}

export const subscriptionsSection = tableSection({
  name: 'subscriptions',
  title: 'Subscriptions',
  table: 'subscriptions',
  empty: 'There is no subscription in this world.',
  id: ({ subscription_id }) => subscription_id,
  tone: ({ status }) => planTones[status],
  columns: [
    { name: 'created', kind: 'id', zoned: true, cell: ({ created }, { now }) => shortMoment(created, now) },
    { name: 'amount', kind: 'amount', cell: ({ amount }) => money(amount) },
    { name: 'status', kind: 'status', cell: ({ status }) => status },
    { name: 'every', cell: ({ interval, interval_count: n }) => (n === 1 ? interval : `${interval} × ${n}`) },
    { name: 'subscription', kind: 'id', minor: true, cell: ({ subscription_id }) => subscription_id },
    {
      ...{ name: 'next charge', kind: 'id', minor: true, zoned: true },
      cell: ({ due }, { now }) => (due === null ? null : shortMoment(due, now)),
    },
  ],
  detail: async (row, { db }) => {
    const plan = await describeSubscription(db, row)
    const charges = await listRows(db, 'charges', { subscription_id: row.subscription_id })
    return {
      title: `Subscription of ${plan.amount}`,
      tone: planTones[row.status],
      status: plan.status,
      links: [orderLink(row.order_id), ...(await callbackLinks(db, row.order_id))],
      about: plan.integratorOrderId,
      facts: {
        Plan: [
          ['subscription', plan.subscriptionId],
          ['order', plan.integratorOrderId],
          ['every', `${plan.interval} × ${plan.intervalCount}`],
          ['completed', plan.completed],
          ['failed', plan.failed],
          ['next charge', moment(plan.nextChargeAt)],
          ['created', moment(plan.createdAt)],
        ],
        Charges: charges.map(({ time, status, fail_reason: why }) => [
          moment(localMoment(time)) ?? '',
          why === null ? status : `${status}: ${why}`,
        ]),
      },
    }
  },
})

// Messages to integrators, with their addresses and every attempt.

type Callback = Row<'callbacks'>

const callbackTones: Readonly<Record<Callback['state'], Tone>> = {
  delivered: 'good',
  'given-up': 'bad',
  waiting: 'waiting',
}

const attemptsOf = (db: SandboxReader, { callback_id }: Callback) => listRows(db, 'callback_attempts', { callback_id })

/** One that nobody can be sent to was never tried: that is no failure. */
async function stateOf(db: SandboxReader, callback: Callback): Promise<{ tone: Tone; words: string }> {
  const { state } = callback
  const isNever =
    state === 'given-up' &&
    (await attemptsOf(db, callback)).every(({ http, why }) => http === null && why?.startsWith('not sent'))
  return isNever ? { tone: 'plain', words: 'not sent' } : { tone: callbackTones[state], words: state }
}

function resendForm({ callback_id, order_id }: Callback): Html {
  return html`<form method="post" action="/_sandbox/callback/resend" class="actions"><input type="hidden" name="callback" value="${callback_id}">
    <input type="hidden" name="order" value="${order_id}"><button id="resend">Send it again</button></form>`
}

export const callbacksSection = tableSection({
  name: 'callbacks',
  title: 'Callbacks',
  table: 'callbacks',
  empty: 'Nobody was told anything yet.',
  id: ({ callback_id }) => String(callback_id),
  tone: async (callback, { db }) => (await stateOf(db, callback)).tone,
  columns: [
    { name: 'created', kind: 'id', zoned: true, cell: ({ created }, { now }) => shortMoment(created, now) },
    { name: 'kind', cell: ({ kind }) => kind },
    { name: 'state', kind: 'status', cell: async (callback, { db }) => (await stateOf(db, callback)).words },
    { name: 'address', kind: 'words', cell: ({ url }) => url },
    {
      ...{ name: 'next attempt', kind: 'id', minor: true, zoned: true },
      cell: ({ due }, { now }) => (due === null ? null : shortMoment(due, now)),
    },
  ],
  detail: async (callback, { db }) => {
    const { kind, url, sealed, created, due, integrator_id, order_id, plain, note } = callback
    const about = await orderNameOf(db, order_id)
    const { tone, words: state } = await stateOf(db, callback)
    const attempts = await attemptsOf(db, callback)
    const text = writeJson(withoutCardTokens(readJson(plain)), 2)
    return {
      title: `Callback of a ${kind}`,
      tone,
      status: state,
      about,
      actions: resendForm(callback),
      links: [orderLink(order_id)],
      copies: [{ as: 'JSON', text }],
      facts: {
        Delivery: [
          ['state', state],
          ['to', url],
          ['played', note],
          ['body', sealed === 1 ? 'sealed to the integrator' : 'plain JSON'],
          ['integrator', nameOf(integrator_id)],
          ['order', about],
          ['created', moment(localMoment(created))],
          ['next attempt', due === null ? null : moment(localMoment(due))],
        ],
        Attempts: attempts.map(({ number, time, http, why, milliseconds }) => [
          `${number}.`,
          `${moment(localMoment(time))}: ${why ?? `HTTP ${http}`}, ${milliseconds} ms`,
        ]),
      },
      texts: [
        { title: 'Payload', text },
        ...attempts.flatMap(({ number, reply }) =>
          reply === null || reply === '' ? [] : [{ title: `Reply to attempt ${number}`, text: reply }],
        ),
      ],
    }
  },
})
