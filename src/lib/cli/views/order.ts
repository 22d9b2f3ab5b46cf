/** Orders, cards and the payments of a subscription as people see them. */
import { JsonNumber } from '../../contract/core/decimal.ts'
import type { Members } from '../../contract/core/members.ts'
import { isMembers } from '../../contract/core/members.ts'
import { orderStatusFacts, subscriptionStatusFacts } from '../../contract/order/status.ts'
import type { CardRead } from '../../desk/order/card.ts'
import type { OrderRead } from '../../desk/order/order.ts'
import type { SubscriptionPayments } from '../../desk/order/subscription.ts'
import { writeJson } from '../../json.ts'
import type { Cell } from '../drawing/block.ts'
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
  const { journalId, profile, environment, warnings: _, status, integratorOrderId, ...sent } = read
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
  ]
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

/** The rest of an order that a person agrees to, besides the recipients and their parts. */
export function orderDetails(request: Members, card: string | null): readonly string[] {
  const { subscriptionPlan: plan, splitDetails, orderProperties, payWithPreAuth, cardToken, saveCard } = request
  const lines: string[] = []
  if (cardToken !== undefined) lines.push(`charges the saved card${card === null ? '' : ` ${card}`} at once`)
  if (saveCard === 'true') lines.push('saves the card of the payer')
  if (isMembers(plan))
    lines.push(`for the first time ${plan.startDate === undefined ? 'at once' : `on ${plan.startDate}`}`)
  if (Array.isArray(splitDetails)) {
    const parts = splitDetails.map((each) => `${each.receiverType} ${each.receiverIdentifier}: ${each.amount}`)
    lines.push(...parts.map((part) => `split ${part}`))
  }
  lines.push(...Object.entries(isMembers(orderProperties) ? orderProperties : {}).flatMap(propertyInWords))
  if (payWithPreAuth === 'true') lines.push('blocks the amount only; `order complete` takes it')
  return lines
}

function propertyInWords([key, property]: readonly [string, unknown]): readonly string[] {
  if (!isMembers(property)) return []
  return [`${key} ${property.value}${property.isEditable === 'true' ? ' (the payer may change it)' : ''}`]
}
