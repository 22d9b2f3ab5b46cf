/** Orders, cards and the payments of a subscription as people see them. */
import { JsonNumber } from '../../contract/core/decimal.ts'
import type { Members } from '../../contract/core/members.ts'
import { orderStatusFacts, subscriptionStatusFacts } from '../../contract/order/status.ts'
import type { CardRead, OrderRead, SubscriptionPayments } from '../../desk/orders.ts'
import { writeJson } from '../../json.ts'
import type { SavedCards, Subscriptions } from '../../listing/saved.ts'
import type { Block, Cell } from '../drawing/block.ts'
import { statusInWords } from './status.ts'
import type { View } from './view.ts'

function cell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  return typeof value === 'object' && !(value instanceof JsonNumber) ? writeJson(value) : String(value)
}

/** The rest of the service's answer, as it came. */
function rowsOf(members: Members): (readonly [string, Cell])[] {
  return Object.entries(members).map(([name, value]) => [name, cell(value)] as const)
}

export function orderView(read: OrderRead): View {
  const { journalId, profile, environment, warnings: _, status, integratorOrderId, refunds, ...sent } = read
  return [
    {
      kind: 'facts',
      rows: [
        ['integratorOrderId', integratorOrderId],
        ['status', statusInWords(orderStatusFacts, status)],
        ...rowsOf(sent),
        ['journal', journalId],
        ['profile', `${profile} (${environment})`],
      ],
    },
    ...(refunds.length > 0 ? [refundTable(refunds)] : []),
  ]
}

function refundTable(refunds: OrderRead['refunds']): Block {
  return {
    kind: 'table',
    head: ['refund', 'at', 'amount', 'state', 'callback says'],
    rows: refunds.map(({ journalId, callbackId, at, amount, currency, state, status }) => [
      journalId ?? callbackId,
      at,
      amount && [currency, amount].filter(Boolean).join(' '),
      state,
      status,
    ]),
    empty: '',
  }
}

export function cardView({ integratorOrderId, profile, environment, ...card }: CardRead): View {
  return [
    {
      kind: 'facts',
      rows: [...rowsOf(card), ['saved with', integratorOrderId], ['profile', `${profile} (${environment})`]],
    },
  ]
}

export function historyView(payments: SubscriptionPayments): View {
  return [
    {
      kind: 'table',
      head: ['time', 'status', 'refunded', 'reason'],
      rows: payments.map(({ time, status, refundedAmount, refundTime, failReason }) => [
        time,
        statusInWords(subscriptionStatusFacts, status),
        [refundedAmount, refundTime].filter((part) => part !== null && part !== undefined).join(', '),
        failReason,
      ]),
      empty: 'No payment so far.',
    },
  ]
}

export function savedCardsView(cards: SavedCards): View {
  return [
    {
      kind: 'table',
      head: ['order', 'card', 'brand', 'bank', 'until', 'order status', 'key', 'profile'],
      rows: cards.map((card) => [
        card.journalId ?? card.integratorOrderId,
        card.cardMask,
        card.cardBrand,
        card.provider,
        card.expirationDate,
        card.status ?? card.state,
        card.key,
        card.profile,
      ]),
      empty: 'Neither the journal nor a callback knows of a saved card.',
    },
  ]
}

export function subscriptionsView(found: Subscriptions): View {
  return [
    {
      kind: 'table',
      head: ['subscription', 'order', 'plan', 'charges', 'last charge', 'revoked', 'order status', 'profile'],
      rows: found.map(({ lastCharge, ...each }) => [
        each.subscriptionId,
        each.journalId ?? each.integratorOrderId,
        each.plan,
        each.charges,
        lastCharge && [lastCharge.at, lastCharge.status, lastCharge.amount].filter(Boolean).join(' '),
        each.revoked === 'no' ? null : each.revoked,
        each.status ?? each.state,
        each.profile,
      ]),
      empty: 'Neither the journal nor a callback knows of a subscription.',
    },
  ]
}
