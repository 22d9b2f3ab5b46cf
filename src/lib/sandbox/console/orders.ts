/** Sections of the console: orders, saved cards, subscriptions, callbacks. */
import { html } from 'hono/html'
import { withoutCardTokens } from '../../contract/mask.ts'
import type { Html } from '../../html.ts'
import { readJson, writeJson } from '../../json.ts'
import { callbackAttempts } from '../../store/sandbox/callbacks.ts'
import { chargesOf } from '../../store/sandbox/cards.ts'
import { orderById } from '../../store/sandbox/orders.ts'
import type { CallbackAttemptRow, CallbackRow, OrderRow, SubscriptionRow } from '../../store/sandbox/schema.ts'
import { newestOf, rowNamed } from '../../store/sandbox/search.ts'
import { describeCard, testCards } from '../areas/cards.ts'
import { checkoutPath } from '../areas/orders/orders.ts'
import { type OrderStage, stageOf } from '../areas/orders/payment.ts'
import { describeOrder, type LedgerOrder } from '../areas/orders/read.ts'
import { describeSubscription } from '../areas/subscriptions.ts'
import { localMoment } from '../clock.ts'
import { money, orderRequest } from '../ledger.ts'
import { receiverNamed } from './requests.ts'
import {
  callbackLinks,
  type Facts,
  linksOfOrder,
  moment,
  mostRows,
  orderLink,
  type Row,
  type Section,
  shortMoment,
  type Tone,
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

const refundableStages: readonly OrderStage[] = ['paid', 'partly-refunded', 'refund-failed']

/** The moves that are still open to the payer, the bank or the service. */
function actionsFor(order: OrderRow): Html | undefined {
  const { order_id } = order
  const stage = stageOf(order)
  const send = (inner: Html) =>
    html`<form method="post" action="/_sandbox/trigger" class="actions"><input type="hidden" name="order" value="${order_id}">${inner}</form>`
  if (stage === 'payable') {
    const cards = testCards.map(
      ({ name, outcome }) => html`<option value="${name}">${name === outcome ? name : `${name}: ${outcome}`}</option>`,
    )
    return send(
      html`<label>Card <select name="card" id="play-card">${cards}</select></label>
      ${button('paid', 'Pay')}${button('declined', 'Decline')}${button('expired', 'Expire')}
      <a href="${checkoutPath}${order_id}" target="_blank" rel="noopener">Checkout page</a>`,
    )
  }
  if (stage === 'being-paid') return send(html`${button('declined', 'Decline')}${button('expired', 'Expire')}`)
  if (refundableStages.includes(stage) && order.paid > 0) {
    return send(
      html`<label>Amount in ${order.currency} <input name="amount" id="play-amount" inputmode="decimal" placeholder="all that is left" size="14" autocomplete="off"></label>
      ${button('refunded', 'Refund')}`,
    )
  }
  return stage === 'refunding' ? send(html`${button('refund-failed', 'Let the refund fail')}`) : undefined
}

function factsOf(order: OrderRow, known: LedgerOrder, who: string): Facts[] {
  const request = orderRequest(order)
  const shares = known.splits.map(
    ({ receiverType, receiverIdentifier, amount, received, tip }) =>
      [
        tip ? 'tip' : receiverType,
        `${receiverNamed(receiverIdentifier)}: ${amount}, has ${known.distributionCurrency} ${received}`,
      ] as const,
  )
  return [
    {
      title: 'State',
      rows: [
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
    },
    {
      title: 'Money',
      rows: [
        ['amount', `${known.currency} ${known.amount}`],
        ['tip', order.tip === 0 ? null : `${known.currency} ${known.tip}`],
        ['charged', `${known.acquiringCurrency} ${known.acquiringAmount}`],
        ['charges', known.charges],
        ['commission', known.commissionType],
        ['refunded', known.refunds === 0 ? null : `${known.currency} ${known.refunded} in ${known.refunds}`],
      ],
    },
    { title: 'Shares', rows: shares },
    {
      title: 'Addresses',
      rows: [
        ['callback', request.callbackUri ?? 'the default'],
        ['after success', request.successRedirectUri ?? 'the default'],
        ['after failure', request.failRedirectUri ?? 'the default'],
      ],
    },
  ]
}

export const ordersSection: Section = {
  name: 'orders',
  title: 'Orders',
  table: 'orders',
  columns: [
    { name: 'created', kind: 'id', zoned: true },
    { name: 'amount', kind: 'amount' },
    { name: 'status', kind: 'status' },
    { name: 'payee', kind: 'words' },
    { name: 'integratorOrderId', kind: 'id', minor: true },
    { name: 'integrator', minor: true },
  ],
  empty: 'No order was created in this world.',
  rows: async ({ db, now, words, names }) =>
    (await newestOf(db, 'orders', words, mostRows)).map((order) => ({
      id: order.order_id,
      tone: orderTones[stageOf(order)],
      cells: [
        shortMoment(order.created, now),
        `${order.currency} ${money(order.amount)}`,
        order.status,
        receiverNamed(orderRequest(order).receiverId),
        orderRequest(order).integratorOrderId,
        names.get(order.integrator_id) ?? order.integrator_id,
      ],
    })),
  detail: async ({ db, names }, id) => {
    const order = await rowNamed(db, 'orders', id)
    if (!order) return null
    const known = await describeOrder(db, order)
    const actions = actionsFor(order)
    const links = await linksOfOrder(db, order.order_id)
    return {
      title: `Order of ${known.currency} ${known.amount}`,
      tone: orderTones[stageOf(order)],
      status: known.status,
      about: known.integratorOrderId,
      links,
      copies: [{ as: 'JSON', text: writeJson(known, 2) }],
      ...(actions === undefined ? {} : { actions }),
      facts: factsOf(order, known, names.get(order.integrator_id) ?? order.integrator_id),
      texts: [],
    }
  },
}

// Saved cards, and the subscriptions that charge them.

export const cardsSection: Section = {
  name: 'cards',
  title: 'Cards',
  table: 'cards',
  columns: [
    { name: 'saved', kind: 'id', zoned: true },
    { name: 'number', kind: 'id' },
    { name: 'brand' },
    { name: 'saved with', kind: 'id', minor: true },
    { name: 'integrator', minor: true },
  ],
  empty: 'No card was saved in this world.',
  rows: async ({ db, now, words, names }) => {
    const rows: Row[] = []
    for (const card of await newestOf(db, 'cards', words, mostRows)) {
      const { cardMask, cardBrand, integratorId, integratorOrderId } = await describeCard(db, card)
      const who = names.get(integratorId) ?? integratorId
      const cells = [shortMoment(card.created, now), cardMask, cardBrand, integratorOrderId, who]
      rows.push({ id: card.order_id, tone: 'plain', cells })
    }
    return rows
  },
  detail: async ({ db, names }, id) => {
    const row = await rowNamed(db, 'cards', id)
    if (!row) return null
    const card = await describeCard(db, row)
    return {
      title: `${card.cardBrand} ${card.cardMask}`,
      tone: 'plain',
      status: `until ${card.expirationDate}`,
      links: [orderLink(row.order_id)],
      ...(card.integratorOrderId === null ? {} : { about: card.integratorOrderId }),
      facts: [
        {
          title: 'Card',
          rows: [
            ['token', card.token],
            ['test card', card.card],
            ['provider', card.provider],
            ['integrator', names.get(card.integratorId) ?? card.integratorId],
            ['saved with', card.integratorOrderId],
            ['saved', moment(card.createdAt)],
          ],
        },
      ],
      texts: [],
    }
  },
}

const planTones: Readonly<Record<SubscriptionRow['status'], Tone>> = {
  WAITING_FOR_CARD: 'waiting',
  ACTIVE: 'good',
  REVOKED: 'plain',
  ENDED: 'plain',
}

export const subscriptionsSection: Section = {
  name: 'subscriptions',
  title: 'Subscriptions',
  table: 'subscriptions',
  columns: [
    { name: 'created', kind: 'id', zoned: true },
    { name: 'amount', kind: 'amount' },
    { name: 'status', kind: 'status' },
    { name: 'every' },
    { name: 'subscription', kind: 'id', minor: true },
    { name: 'next charge', kind: 'id', minor: true, zoned: true },
  ],
  empty: 'There is no subscription in this world.',
  rows: async ({ db, now, words }) => {
    const rows: Row[] = []
    for (const plan of await newestOf(db, 'subscriptions', words, mostRows)) {
      const { due, created, amount, status, interval, interval_count, subscription_id } = plan
      const next = due === null ? null : shortMoment(due, now)
      const every = interval_count === 1 ? interval : `${interval} × ${interval_count}`
      const cells = [shortMoment(created, now), money(amount), status, every, subscription_id, next]
      rows.push({ id: subscription_id, tone: planTones[status], cells })
    }
    return rows
  },
  detail: async ({ db }, id) => {
    const row = await rowNamed(db, 'subscriptions', id)
    if (!row) return null
    const plan = await describeSubscription(db, row)
    const charges: Facts['rows'] = (await chargesOf(db, id)).map(
      ({ time, status, fail_reason }) =>
        [moment(localMoment(time)) ?? '', fail_reason === null ? status : `${status}: ${fail_reason}`] as const,
    )
    return {
      title: `Subscription of ${plan.amount}`,
      tone: planTones[row.status],
      status: plan.status,
      links: [orderLink(row.order_id), ...(await callbackLinks(db, orderLink(row.order_id)))],
      about: plan.integratorOrderId ?? plan.subscriptionId,
      facts: [
        {
          title: 'Plan',
          rows: [
            ['subscription', plan.subscriptionId],
            ['order', plan.integratorOrderId],
            ['every', `${plan.interval} × ${plan.intervalCount}`],
            ['completed', plan.completed],
            ['failed', plan.failed],
            ['next charge', moment(plan.nextChargeAt)],
            ['created', moment(plan.createdAt)],
          ],
        },
        { title: 'Charges', rows: charges },
      ],
      texts: [],
    }
  },
}

// Messages to integrators, with their addresses and every attempt.

/** One that nobody can be sent to was never tried: that is no failure. */
function stateOf({ state }: Pick<CallbackRow, 'state'>, attempts: readonly CallbackAttemptRow[]) {
  const never = state === 'given-up' && attempts.every(({ http, why }) => http === null && why?.startsWith('not sent'))
  return never ? ({ tone: 'plain', words: 'not sent' } as const) : { tone: callbackTones[state], words: state }
}

function resendForm(id: number, order: string): Html {
  return html`<form method="post" action="/_sandbox/callback/resend" class="actions"><input type="hidden" name="callback" value="${id}">
    <input type="hidden" name="order" value="${order}"><button id="resend">Send it again</button></form>`
}

const callbackTones: Readonly<Record<CallbackRow['state'], Tone>> = {
  delivered: 'good',
  'given-up': 'bad',
  waiting: 'waiting',
}

export const callbacksSection: Section = {
  name: 'callbacks',
  title: 'Callbacks',
  table: 'callbacks',
  columns: [
    { name: 'created', kind: 'id', zoned: true },
    { name: 'kind' },
    { name: 'state', kind: 'status' },
    { name: 'address', kind: 'words' },
    { name: 'next attempt', kind: 'id', minor: true, zoned: true },
  ],
  empty: 'Nobody was told anything yet.',
  rows: async ({ db, now, words }) => {
    const rows: Row[] = []
    for (const callback of await newestOf(db, 'callbacks', words, mostRows)) {
      const { callback_id, created, kind, url, due } = callback
      const { tone, words: state } = stateOf(callback, await callbackAttempts(db, callback_id))
      const next = due === null ? null : shortMoment(due, now)
      rows.push({ id: String(callback_id), tone, cells: [shortMoment(created, now), kind, state, url, next] })
    }
    return rows
  },
  detail: async ({ db, names }, id) => {
    const callback = await rowNamed(db, 'callbacks', id)
    if (!callback) return null
    const { callback_id, kind, url, sealed, created, due, integrator_id, order_id, plain, note } = callback
    const order = await orderById(db, order_id)
    const about = order ? orderRequest(order).integratorOrderId : order_id
    const tries = await callbackAttempts(db, callback_id)
    const { tone, words: state } = stateOf(callback, tries)
    const attempts: Facts['rows'] = tries.map(
      ({ number, time, http, why, milliseconds }) =>
        [`${number}.`, `${moment(localMoment(time))}: ${why ?? `HTTP ${http}`}, ${milliseconds} ms`] as const,
    )
    const replies = tries.flatMap(({ number, reply }) =>
      reply === null || reply === '' ? [] : [{ title: `Reply to attempt ${number}`, text: reply }],
    )
    const text = writeJson(withoutCardTokens(readJson(plain)), 2)
    return {
      title: `Callback of a ${kind}`,
      tone,
      status: state,
      about,
      actions: resendForm(callback_id, order_id),
      links: [orderLink(order_id)],
      copies: [{ as: 'JSON', text }],
      facts: [
        {
          title: 'Delivery',
          rows: [
            ['state', state],
            ['to', url],
            ['played', note],
            ['body', sealed === 1 ? 'sealed to the integrator' : 'plain JSON'],
            ['integrator', names.get(integrator_id) ?? integrator_id],
            ['order', about],
            ['created', moment(localMoment(created))],
            ['next attempt', due === null ? null : moment(localMoment(due))],
          ],
        },
        { title: 'Attempts', rows: attempts },
      ],
      texts: [{ title: 'Payload', text }, ...replies],
    }
  },
}
