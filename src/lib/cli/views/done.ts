/** Receipts of orders, cards, subscriptions and the wallet as people see them; a payout has a view of its own. */
import { JsonNumber } from '../../contract/core/decimal.ts'
import { isMembers } from '../../contract/core/members.ts'
import { writeNamed } from '../../contract/operations.ts'
import { planPrice } from '../../contract/order/plan.ts'
import type { Done, Receipt } from '../../desk/receipts.ts'
import { writeJson } from '../../json.ts'
import { receiptView } from './payout.ts'
import { statusInWords } from './status.ts'
import type { View } from './view.ts'

/**
 * Words for the outcome. Where the answer was lost, a warning says how it was resolved: by a read or by the operator's word.
 */
const said = { accepted: 'accepted', exists: 'resolved as executed', refused: 'refused' } as const

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

function cell(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' && !(value instanceof JsonNumber) ? writeJson(value) : String(value)
}

function planInWords({ currency, subscriptionPlan: plan }: Done): string | null {
  const price = planPrice({ currency: currency ?? undefined, subscriptionPlan: plan })
  if (price === null || !isMembers(plan)) return null
  return plan.startDate === undefined ? price : `${price}, from ${plan.startDate} on`
}

export function doneView(done: Done): View {
  const operation = writeNamed(done.operation)
  const answered = Object.entries(done).filter(([name]) => !ownMembers.has(name))
  const earlier = done.replayed ? ' (an earlier run sent it; nothing was sent now)' : ''
  return [
    {
      kind: 'facts',
      title: `${operation?.label ?? done.operation} ${said[done.outcome]}${earlier}`,
      rows: [
        ['status', statusInWords(operation?.evidence?.by.statuses ?? null, done.status)],
        ['amount', done.amount === null ? null : [done.currency, done.amount].filter(Boolean).join(' ')],
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
