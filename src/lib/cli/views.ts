/** Payouts, orders, cards, subscriptions and the wallet as people see them. */
import { JsonNumber } from '../contract/core/decimal.ts'
import { accountInWords } from '../contract/core/iban.ts'
import { isMembers, type Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { planPrice } from '../contract/order/plan.ts'
import { orderStatusFacts, subscriptionStatusFacts } from '../contract/order/status.ts'
import { payoutStatusFacts } from '../contract/payout/status.ts'
import type { StatusReader } from '../contract/status.ts'
import { walletCreationFacts, walletStatusFacts } from '../contract/wallet/status.ts'
import type { OrderDiff, PayoutDiff } from '../desk/diff.ts'
import type { CardRead, OrderRead, SubscriptionPayments } from '../desk/orders.ts'
import type { PayoutRead } from '../desk/payouts.ts'
import type { CreatedReceipt, Done, Receipt } from '../desk/receipts.ts'
import { secondsInWords, type WalletCreated, type WalletRead } from '../desk/wallet.ts'
import { writeJson } from '../json.ts'
import type { SavedCards, Subscriptions } from '../listing/saved.ts'
import type { Block, Cell, View } from './output/view.ts'

export function statusInWords(read: StatusReader | null, status: string): string
export function statusInWords(read: StatusReader | null, status: string | null): string | null
export function statusInWords(read: StatusReader | null, status: string | null): string | null {
  const facts = status === null ? null : read?.(status)
  return facts ? `${status} (${facts.means})` : status
}

/**
 * Words for the outcome. Where the answer was lost, a warning says how it was resolved: by a read or by the operator's word.
 */
const outcomes = { accepted: 'accepted', exists: 'resolved as executed', refused: 'refused' } as const

const earlier = ' (sent by an earlier run; nothing was sent now)'

function cell(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' && !(value instanceof JsonNumber) ? writeJson(value) : String(value)
}

function sum(currency: string | null, amount: Cell): string | null {
  return amount === null || amount === undefined ? null : [currency, amount].filter(Boolean).join(' ')
}

/** Where it stands here. */
function origin({
  journalId,
  profile,
  environment,
}: Pick<Done, 'profile' | 'environment'> & { journalId: string | null }) {
  return [
    ['journal', journalId],
    ['profile', `${profile} (${environment})`],
  ] as const
}

export function receiptView(receipt: CreatedReceipt): View {
  const facts: Block = {
    kind: 'facts',
    title: `Payout ${outcomes[receipt.outcome]}${receipt.replayed ? earlier : ''}`,
    rows: [
      ['amount', `${receipt.currency} ${receipt.amount}`],
      ['to', accountInWords(receipt.payee)],
      ['payee', receipt.namedPayee ? `${receipt.namedPayee.name} (${receipt.namedPayee.payeeId})` : null],
      ['status', statusInWords(payoutStatusFacts, receipt.status)],
      ['says', receipt.statusDescription],
      ['transactionId', receipt.transactionId],
      ['uniqueId', receipt.uniqueId],
      ['createdAt', receipt.createdAt],
      ['journal', receipt.journalId],
      ['journal head', receipt.journalHead],
      ['profile', `${receipt.profile} (${receipt.environment})`],
    ],
  }
  return [facts]
}

type Read = Parameters<typeof origin>[0] & { readonly warnings: readonly string[]; readonly status: string }

/** A thing that was read: the members named first, then whatever else the service sent. */
function readFacts(read: Read, first: readonly string[], statuses: StatusReader): Block {
  const { journalId, profile, environment, warnings: _, ...sent } = read
  const members: Members = { ...sent, status: statusInWords(statuses, sent.status) }
  const names = new Set([...first, ...Object.keys(members)])
  return {
    kind: 'facts',
    rows: [
      ...[...names].map((name) => [name, cell(members[name])] as const),
      ...origin({ journalId, profile, environment }),
    ],
  }
}

/** The ten fields of A2 in its order. */
const a2 = [
  'transactionId',
  'status',
  'statusDescription',
  'amount',
  'toIban',
  'currency',
  'paymentDescription',
  'uniqueId',
  'createdAt',
  'commissionAmount',
] as const

export function payoutView(read: PayoutRead): View {
  return [readFacts(read, a2, payoutStatusFacts)]
}

/** Members of the receipt itself; all others come from the service's answer. */
const ownMembers = new Set([
  'outcome',
  'operation',
  'status',
  'subscriptionPlan',
  'amount',
  'currency',
  'journalId',
  'journalHead',
  'profile',
  'environment',
  'sumConfirmed',
  'replayed',
  'warnings',
])

function planInWords({ currency, subscriptionPlan: plan }: Done): string | null {
  const price = planPrice({ currency: currency ?? undefined, subscriptionPlan: plan })
  if (price === null || !isMembers(plan)) return null
  return plan.startDate === undefined ? price : `${price}, from ${plan.startDate} on`
}

/** Receipts of orders, cards, subscriptions and the wallet as people see them; a payout has a view of its own. */
export function doneView(done: Done): View {
  const operation = writeNamed(done.operation)
  const answered = Object.entries(done).filter(([name]) => !ownMembers.has(name))
  return [
    {
      kind: 'facts',
      title: `${operation?.label ?? done.operation} ${outcomes[done.outcome]}${done.replayed ? earlier : ''}`,
      rows: [
        ['status', statusInWords(operation?.evidence?.by.statuses ?? null, done.status)],
        ['amount', sum(done.currency, done.amount)],
        ['plan', planInWords(done)],
        ...answered.map(([name, value]) => [name, cell(value)] as const),
        ['journal', done.journalId],
        ['journal head', done.journalHead],
        ['profile', `${done.profile} (${done.environment})`],
      ],
    },
  ]
}

export function resolvedView(receipt: Receipt | Done): View {
  return 'payee' in receipt ? receiptView(receipt as Receipt) : doneView(receipt as Done)
}

export function orderView({ refunds, ...read }: OrderRead): View {
  const facts = readFacts(read, ['integratorOrderId', 'status'], orderStatusFacts)
  return refunds.length > 0 ? [facts, refundTable(refunds)] : [facts]
}

function refundTable(refunds: OrderRead['refunds']): Block {
  return {
    kind: 'table',
    head: ['refund', 'at', 'amount', 'state', 'callback says'],
    rows: refunds.map(({ journalId, callbackId, at, amount, currency, state, status }) => [
      journalId ?? callbackId,
      at,
      sum(currency, amount),
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
      rows: [
        ...Object.entries(card).map(([name, value]) => [name, cell(value)] as const),
        ['saved with', integratorOrderId],
        ['profile', `${profile} (${environment})`],
      ],
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
      empty: 'No saved cards.',
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
      empty: 'No subscriptions.',
    },
  ]
}

function title(words: string, { outcome, replayed }: Done): string {
  const lost = outcome === 'exists' ? ', its answer was lost' : ''
  return `${outcome === 'refused' ? 'Refused' : words}${lost}${replayed ? earlier : ''}`
}

/** Bank-wallet orders as people see them. */
export function walletCreatedView(created: WalletCreated): View {
  const { currency, minAmountAllowed: least, maxAmountAllowed: most, finalizeBy, secondsLeft } = created
  const range = least || most ? `${sum(currency, least) ?? '…'} – ${most ?? '…'}` : null
  const facts: Block = {
    kind: 'facts',
    title: title('Wallet order registered', created),
    rows: [
      ['receiver', created.receiverName],
      ['amount', sum(currency, created.amount) ?? range],
      // The meaning of the status, "to be finalized", is no help once the time is over.
      ['status', secondsLeft > 0 ? statusInWords(walletCreationFacts, created.status) : created.status],
      ['finalize by', `${finalizeBy}, ${secondsLeft > 0 ? `${secondsInWords(secondsLeft)} left` : 'over'}`],
      ['uniqueId', created.uniqueId],
      ...origin(created),
    ],
  }
  return [facts]
}

/** The receipt of finalizing or deleting. */
export function walletDoneView({ done: what, statuses }: WriteOperation, done: Done): View {
  return [
    {
      kind: 'facts',
      title: title(`Wallet order ${what}`, done),
      rows: [
        ['amount', sum(done.currency, done.amount)],
        ['status', statusInWords(statuses, done.status)],
        ['uniqueId', cell(done.uniqueId)],
        ...origin(done),
      ],
    },
  ]
}

export function walletReadView(read: WalletRead): View {
  return [readFacts(read, ['uniqueId', 'amount', 'status', 'createdAt', 'finalisedAt'], walletStatusFacts)]
}

const verdicts = { true: 'yes', false: 'NO', null: '–' } as const

function diffView(
  { compared, equal, journalId }: Pick<OrderDiff, 'compared' | 'equal' | 'journalId'>,
  id: string,
): View {
  const differing = compared.filter((row) => row.equal === false).map(({ field }) => field)
  return [
    {
      kind: 'table',
      head: ['field', 'journal', 'service', 'equal', ''],
      rows: compared.map((row) => [row.field, row.journal, row.service, verdicts[`${row.equal}`], row.note]),
      empty: '',
    },
    {
      kind: 'text',
      text: equal
        ? `${id} and ${journalId} agree in every field that can be compared.`
        : `${id} differs from ${journalId} in ${differing.join(', ')}.`,
    },
  ]
}

/** The journal against the service, field by field, as people see it. */
export function orderDiffView(diff: OrderDiff): View {
  return diffView(diff, diff.integratorOrderId)
}

export function payoutDiffView(diff: PayoutDiff): View {
  return diffView(diff, diff.transactionId)
}
