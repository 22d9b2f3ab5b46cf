/** How receipts of orders, cards, subscriptions and the wallet look to people; a payout has a view of its own. */
import { JsonNumber } from '../contract/decimal.ts'
import { orderStatusFacts } from '../contract/order-status.ts'
import type { Done, Receipt } from '../desk/receipt.ts'
import { writeJson } from '../json.ts'
import { receiptView } from './payout-view.ts'
import type { View } from './view.ts'

const said = { accepted: 'accepted', exists: 'the service has it, its answer was lost', refused: 'refused' } as const

/** What the receipt itself says; whatever else stands in it is the service's answer. */
const ownMembers = new Set([
  'outcome',
  'operation',
  'status',
  'amount',
  'currency',
  'journalId',
  'profile',
  'environment',
  'replayed',
  'warnings',
])

function cell(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' && !(value instanceof JsonNumber) ? writeJson(value) : String(value)
}

/** A status with what it means, as it is where nobody knows it. */
export function statusInWords(status: string | null): string | null {
  const facts = status === null ? null : orderStatusFacts(status)
  return facts ? `${status} (${facts.means})` : status
}

export function doneView(done: Done): View {
  const answered = Object.entries(done).filter(([name]) => !ownMembers.has(name))
  const earlier = done.replayed ? ' (an earlier run sent it; nothing was sent now)' : ''
  return [
    {
      kind: 'facts',
      title: `${done.operation}: ${said[done.outcome]}${earlier}`,
      rows: [
        ['status', done.operation.startsWith('wallet.') ? done.status : statusInWords(done.status)],
        ['amount', done.amount === null ? null : [done.currency, done.amount].filter(Boolean).join(' ')],
        ...answered.map(([name, value]) => [name, cell(value)] as const),
        ['journal', done.journalId],
        ['profile', `${done.profile} (${done.environment})`],
      ],
    },
  ]
}

export function settledView(receipt: Receipt | Done): View {
  return 'payee' in receipt ? receiptView(receipt as Receipt) : doneView(receipt as Done)
}
