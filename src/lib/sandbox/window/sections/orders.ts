/** Orders: their state, their shares, and the plays that can be made with them by hand. */
import { html } from 'hono/html'
import { writeJson } from '../../../json.ts'
import type { OrderRow } from '../../../store/sandbox/schema.ts'
import { newestOf, rowNamed } from '../../../store/sandbox/search.ts'
import { testCards } from '../../cards/test-card.ts'
import { checkoutPath } from '../../checkout/path.ts'
import { localMoment } from '../../clock/clock.ts'
import { orderRequest } from '../../ledger/accepted.ts'
import { describeOrder, type LedgerOrder } from '../../orders/ledger/ledger.ts'
import { type OrderStage, stageOf } from '../../orders/stage.ts'
import { money } from '../../world/money.ts'
import { receiverNamed } from '../requests/gist.ts'
import { offspringOf } from './related.ts'
import { type Facts, moment, most, type PageHtml, type Section, shortly, type Tone } from './section.ts'

const tones: Readonly<Record<OrderStage, Tone>> = {
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
function actionsFor(order: OrderRow): PageHtml | undefined {
  const { order_id } = order
  const stage = stageOf(order)
  const send = (inner: PageHtml) =>
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
    (await newestOf(db, 'orders', words, most)).map((order) => ({
      id: order.order_id,
      tone: tones[stageOf(order)],
      cells: [
        shortly(order.created, now),
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
    const links = await offspringOf(db, order.order_id)
    return {
      title: `Order of ${known.currency} ${known.amount}`,
      tone: tones[stageOf(order)],
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
