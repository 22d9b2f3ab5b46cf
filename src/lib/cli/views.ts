/** Payouts, orders, cards, subscriptions and the wallet as people see them: by label the member of a result that stands there. */
import { accountInWords } from '../contract/core/iban.ts'
import { isMembers, type Members } from '../contract/core/members.ts'
import { writeNamed } from '../contract/operations.ts'
import { planPrice } from '../contract/order/plan.ts'
import { orderStatusFacts, subscriptionStatusFacts } from '../contract/order/status.ts'
import { payoutStatusFacts, unconfirmedInWords } from '../contract/payout/status.ts'
import type { StatusReader } from '../contract/status.ts'
import { walletCreationFacts, walletStatusFacts } from '../contract/wallet/status.ts'
import type { OrderDiff, PayoutDiff } from '../desk/diff.ts'
import type { CardRead, OrderRead, SubscriptionPayments } from '../desk/orders.ts'
import type { Balance, PayoutRead } from '../desk/payouts.ts'
import type { CreatedReceipt, Done, Receipt } from '../desk/receipts.ts'
import type { Reconciled } from '../desk/reconcile.ts'
import { secondsInWords, type WalletCreated, type WalletRead } from '../desk/wallet.ts'
import type { SavedCards, Subscriptions } from '../listing/saved.ts'
import { type Block, factsOf, type Labels, labelled, sumInWords, tableOf, textView, type View } from './output/view.ts'

export function statusInWords(read: StatusReader | null, status: string): string
export function statusInWords(read: StatusReader | null, status: string | null): string | null
export function statusInWords(read: StatusReader | null, status: string | null): string | null {
  const facts = status === null ? null : read?.(status)
  return facts ? `${status} (${facts.means})` : status
}

interface Origin {
  readonly profile: string
  readonly environment: string
}

const profileInWords = ({ profile, environment }: Origin) => `${profile} (${environment})`

const origin = { journal: 'journalId', profile: profileInWords } as const
const originOfWrite = { journal: 'journalId', 'journal head': 'journalHead', profile: profileInWords } as const

// --- Receipts

/** Where the answer was lost, a warning says how it was resolved: by a read or by the operator's word. */
const outcomes = { accepted: 'accepted', exists: 'resolved as executed', refused: 'refused' } as const

const earlier = ({ replayed }: Pick<Done, 'replayed'>) =>
  replayed ? ' (sent by an earlier run; nothing was sent now)' : ''

const payoutLabels: Labels<CreatedReceipt> = {
  amount: sumInWords,
  to: ({ payee }) => accountInWords(payee),
  payee: ({ namedPayee }) => namedPayee && `${namedPayee.name} (${namedPayee.payeeId})`,
  status: ({ status }) => statusInWords(payoutStatusFacts, status),
  says: 'statusDescription',
  transactionId: 'transactionId',
  uniqueId: 'uniqueId',
  createdAt: 'createdAt',
  ...originOfWrite,
}

const payoutTitle = ({ idUnknown, outcome }: CreatedReceipt) =>
  idUnknown ? `Payout: ${unconfirmedInWords}` : `Payout ${outcomes[outcome]}`

const payoutFacts = (receipt: CreatedReceipt, title: string) =>
  factsOf(receipt, payoutLabels, `${title}${earlier(receipt)}`)

export const receiptView = (receipt: CreatedReceipt): View => [payoutFacts(receipt, payoutTitle(receipt))]

/** Members of the receipt itself; all others come from the service's answer. */
const ownMembers = new Set([
  ...['outcome', 'operation', 'status', 'subscriptionPlan', 'amount', 'currency', 'journalId', 'journalHead'],
  ...['profile', 'environment', 'sumConfirmed', 'replayed', 'warnings'],
])

function planInWords({ currency, subscriptionPlan: plan }: Done): string | null {
  const price = planPrice({ currency: currency ?? undefined, subscriptionPlan: plan })
  if (price === null || !isMembers(plan)) return null
  return plan.startDate === undefined ? price : `${price}, from ${plan.startDate} on`
}

/** The receipt of any write but a payout, with the members of the service's answer. */
export function doneView(done: Done): View {
  const operation = writeNamed(done.operation)
  const first: Labels<Done> = {
    status: ({ status }) => statusInWords(operation?.evidence?.by.statuses ?? null, status),
    amount: sumInWords,
    plan: planInWords,
  }
  const answered = Object.entries(done).filter(([name]) => !ownMembers.has(name))
  const title = `${operation?.label ?? done.operation} ${outcomes[done.outcome]}${earlier(done)}`
  return [{ kind: 'facts', title, rows: [...labelled(done, first), ...answered, ...labelled(done, originOfWrite)] }]
}

export function resolvedView(receipt: Receipt | Done): View {
  return 'payee' in receipt ? receiptView(receipt as Receipt) : doneView(receipt as Done)
}

export function reconciledView(result: Reconciled): View {
  const { compared, notShown, transactionId } = result
  return [
    payoutFacts(result, `Payout confirmed: it is transaction ${transactionId}`),
    tableOf(compared, { compared: 'field', journal: 'journal', service: 'service' }),
    ...(notShown.length > 0
      ? textView(`Not compared, because the service does not show it: ${notShown.join(', ')}.`)
      : []),
  ]
}

function walletTitle(words: string, done: Done): string {
  const lost = done.outcome === 'exists' ? ', its answer was lost' : ''
  return `${done.outcome === 'refused' ? 'Refused' : words}${lost}${earlier(done)}`
}

const createdLabels: Labels<WalletCreated> = {
  receiver: 'receiverName',
  amount: (created) => {
    const { currency, minAmountAllowed: least, maxAmountAllowed: most } = created
    const range = least || most ? `${sumInWords({ currency, amount: least }) ?? '…'} – ${most ?? '…'}` : null
    return sumInWords(created) ?? range
  },
  // The meaning of the status, "to be finalized", is no help once the time is over.
  status: ({ status, secondsLeft }) => (secondsLeft > 0 ? statusInWords(walletCreationFacts, status) : status),
  'finalize by': ({ finalizeBy, secondsLeft: left }) =>
    `${finalizeBy}, ${left > 0 ? `${secondsInWords(left)} left` : 'over'}`,
  uniqueId: 'uniqueId',
  ...origin,
}

export function walletCreatedView(created: WalletCreated): View {
  return [factsOf(created, createdLabels, walletTitle('Wallet order registered', created))]
}

export function walletDoneView(done: Done): View {
  const operation = writeNamed(done.operation)
  const labels: Labels<Done> = {
    amount: sumInWords,
    status: ({ status }) => statusInWords(operation?.statuses ?? null, status),
    uniqueId: 'uniqueId',
    ...origin,
  }
  return [factsOf(done, labels, walletTitle(`Wallet order ${operation?.done}`, done))]
}

// --- Reads

type Read = Origin & { readonly journalId: string | null; readonly warnings: unknown; readonly status: string }

/** A thing that was read: the members named first, then the others in the order of the contract, then what else was sent. */
function readFacts(read: Read, statuses: StatusReader, first: readonly string[] = []): Block {
  const { journalId: _, profile: _name, environment: _its, warnings: _said, ...sent } = read
  const { currency, ...others } = sent as Members
  const members: Members = {
    ...others,
    status: statusInWords(statuses, read.status),
    ...(others.amount === undefined ? { currency } : { amount: sumInWords({ currency, amount: others.amount }) }),
    ...(others.commissionAmount == null
      ? {}
      : { commissionAmount: sumInWords({ currency, amount: others.commissionAmount }) }),
    ...(typeof others.toIban === 'string' ? { toIban: accountInWords(others.toIban) } : {}),
  }
  const names = [...new Set([...first, ...Object.keys(members)])]
  return { kind: 'facts', rows: [...names.map((name) => [name, members[name]] as const), ...labelled(read, origin)] }
}

/** The fields of A2 in the order in which people look for them. */
const a2 = [
  ...['transactionId', 'status', 'statusDescription', 'amount', 'toIban', 'paymentDescription'],
  ...['uniqueId', 'createdAt', 'commissionAmount'],
]

export const payoutView = (read: PayoutRead): View => [readFacts(read, payoutStatusFacts, a2)]

export const walletReadView = (read: WalletRead): View => [readFacts(read, walletStatusFacts)]

export function orderView({ refunds, ...read }: OrderRead): View {
  const refundColumns: Labels<OrderRead['refunds'][number]> = {
    refund: ({ journalId, callbackId }) => journalId ?? callbackId,
    at: 'at',
    amount: sumInWords,
    state: 'state',
    'callback says': 'status',
  }
  const facts = readFacts(read, orderStatusFacts)
  return refunds.length > 0 ? [facts, tableOf(refunds, refundColumns)] : [facts]
}

export function cardView({ integratorOrderId, profile, environment, ...card }: CardRead): View {
  const rows = [
    ['saved with', integratorOrderId] as const,
    ['profile', profileInWords({ profile, environment })] as const,
  ]
  return [{ kind: 'facts', rows: [...Object.entries(card), ...rows] }]
}

const paymentColumns: Labels<SubscriptionPayments[number]> = {
  time: 'time',
  status: ({ status }) => statusInWords(subscriptionStatusFacts, status),
  refunded: ({ refundedAmount, refundTime }) => [refundedAmount, refundTime].filter((part) => part != null).join(', '),
  reason: 'failReason',
}

export const historyView = (payments: SubscriptionPayments): View => [
  tableOf(payments, paymentColumns, 'No payment so far.'),
]

export const balancesView = (balances: readonly Balance[]): View => [
  tableOf(balances, { currency: 'currency', amount: 'amount', '': 'note' }, 'No account.'),
]

// --- Lists of what journal and callbacks know

const cardColumns: Labels<SavedCards[number]> = {
  order: ({ journalId, integratorOrderId }) => journalId ?? integratorOrderId,
  card: 'cardMask',
  brand: 'cardBrand',
  bank: 'provider',
  until: 'expirationDate',
  'order status': ({ status, state }) => status ?? state,
  key: 'key',
  profile: 'profile',
}

export const savedCardsView = (cards: SavedCards): View => [tableOf(cards, cardColumns, 'No saved cards.')]

const subscriptionColumns: Labels<Subscriptions[number]> = {
  subscription: 'subscriptionId',
  order: ({ journalId, integratorOrderId }) => journalId ?? integratorOrderId,
  plan: 'plan',
  charges: 'charges',
  'last charge': ({ lastCharge: last }) => last && [last.at, last.status, last.amount].filter(Boolean).join(' '),
  revoked: ({ revoked }) => (revoked === 'no' ? null : revoked),
  'order status': ({ status, state }) => status ?? state,
  profile: 'profile',
}

export const subscriptionsView = (found: Subscriptions): View => [
  tableOf(found, subscriptionColumns, 'No subscriptions.'),
]

// --- The journal against the service, field by field

const verdicts = { true: 'yes', false: 'NO', null: '–' } as const

const comparedColumns: Labels<(OrderDiff | PayoutDiff)['compared'][number]> = {
  field: 'field',
  journal: 'journal',
  service: 'service',
  equal: ({ equal }) => verdicts[`${equal}`],
  '': 'note',
}

export function diffView(diff: OrderDiff | PayoutDiff): View {
  const { compared, equal, journalId } = diff
  const id = 'transactionId' in diff ? diff.transactionId : diff.integratorOrderId
  const differing = compared.filter((row) => row.equal === false).map(({ field }) => field)
  return [
    tableOf(compared, comparedColumns),
    ...textView(
      equal
        ? `${id} and ${journalId} agree in every field that can be compared.`
        : `${id} differs from ${journalId} in ${differing.join(', ')}.`,
    ),
  ]
}
