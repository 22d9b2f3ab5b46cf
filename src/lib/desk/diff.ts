/** Compares a payout or an order in the journal with the one at the service, field by field. Nothing is changed at the service. */
import type { Members } from '../contract/core/members.ts'
import { createOrder } from '../contract/order/order.ts'
import { sumOfOrderShown } from '../contract/order/request.ts'
import { createPayout, type PayoutDetails, payoutDetails } from '../contract/payout/payout.ts'
import { about, Failure } from '../failure.ts'
import { hint, hintInWords, paste } from '../hint.ts'
import { factsOf, type Intent } from '../journal/intent.ts'
import { requestIn } from '../journal/payment-end.ts'
import { removedWord, splitRemoved } from '../journal/row.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import { askOrder, type FoundOrder, orderOfId } from './orders.ts'
import { compare, money, payoutOfId, serviceShows, sumDiffers } from './payouts.ts'
import { readObject } from './read.ts'
import { comparable, type orderDiffResult, type payoutDiffResult } from './results.ts'
import { moneyMovedOf, readAbout } from './writes.ts'

export type PayoutDiff = ResultOf<typeof payoutDiffResult>
export type OrderDiff = ResultOf<typeof orderDiffResult>

type Row = PayoutDiff['compared'][number]

/** `why`: the reason for which the two cannot be compared; null where they can. */
function rowOf(
  field: string,
  journal: string | null,
  service: string | null,
  { isEqual = journal === service, why = null }: { readonly isEqual?: boolean; readonly why?: string | null } = {},
): Row {
  const isComparable = journal !== null && service !== null && why === null
  const note = why ?? (service === null ? 'the service does not show it' : 'not in the journal')
  return { field, journal, service, equal: isComparable ? isEqual : null, note: isComparable ? null : note }
}

function diffOf(
  { profile: { name, environment } }: Desk,
  { journalId }: Intent,
  compared: Row[],
  warnings: string[] = [],
) {
  const equal = compared.every((row) => row.equal !== false)
  return { equal, compared, journalId, profile: name, environment, warnings }
}

// --- Payouts

/** The service tells one time with more digits of a second here and fewer there. */
function isSameTime(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && (one.startsWith(other) || other.startsWith(one))
}

/** The status that the journal last saw, what was sent, and the time of the acceptance. */
function comparePayout(intent: Intent, details: PayoutDetails): Row[] {
  const request = requestIn(intent.body)
  const { gone } = splitRemoved(intent.removedAt === null ? {} : request)
  const removed = comparable.filter((field) => gone.includes(field))
  return [
    rowOf('status', intent.status, details.status),
    ...compare(request, details).map(({ field, journal, service, equal }) =>
      rowOf(field, journal, service, { isEqual: equal }),
    ),
    ...removed.map((field) => {
      return rowOf(field, removedWord, serviceShows(details)[field], { why: 'removed from the journal' })
    }),
    rowOf('createdAt', intent.createdAt, details.createdAt, {
      isEqual: isSameTime(intent.createdAt, details.createdAt),
    }),
  ]
}

/** Throws a Failure: not-found (6) for a payout that the journal, or the service, does not know; as a read of it. */
export async function diffPayout(desk: Desk, id: string): Promise<PayoutDiff> {
  const { transactionId, intent, writes } = await payoutOfId(desk, id)
  if (!intent) throw payoutNotInJournal(transactionId, desk)
  const request = { transaction_id: transactionId }
  const facts = { ...factsOf(intent), ...about(payoutDetails) }
  const { answer: details } = await readAbout(desk, writes, facts, () =>
    readObject(desk, payoutDetails, request, { expected: intent.uniqueId }),
  )
  const differs = details.uniqueId.toLowerCase() === intent.uniqueId ? sumDiffers(intent, details) : null
  if (differs !== null) {
    const noting = desk.journal.noteSum(intent, differs)
    await noting.catch(() => desk.tell.say('the journal could not store the amount that was read'))
  }
  return { transactionId, uniqueId: intent.uniqueId, ...diffOf(desk, intent, comparePayout(intent, details)) }
}

function payoutNotInJournal(transactionId: string, { profile }: Desk): Failure {
  return new Failure('not-found', `the journal has no payout ${transactionId} of the profile ${profile.name}`, {
    ...about(createPayout),
    transactionId,
    moneyMoved: 'unknown',
    hints: [
      hint`\`${paste('payout get', transactionId)}\` shows it at the service; another machine may have created it.`,
    ],
  })
}

// --- Orders

function text(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

/** The amount that the status has itself, where it differs from that of the order; null where it tells none, or agrees. */
function shownRow(request: Members, answer: Members): Row | null {
  const { amount: asked = [] } = sumOfOrderShown(request)
  const shown = text(answer.amount)
  if (shown === null || asked.length === 0 || asked.some((each) => money(String(each)) === money(shown))) return null
  return rowOf('amount', money(String(request.amount)), money(shown))
}

/** Compares the amount of the order with the charge of the payer's card, which the service may make another one. */
function chargedRow(request: Members, answer: Members): Row {
  const amount = money(String(request.amount))
  const charged = text(answer.acquiringAmount)
  const service = charged === null ? null : money(charged)
  const isSameCurrency = text(answer.acquiringCurrency) === (text(request.currency) ?? 'GEL')
  const isExplained = !isSameCurrency || request.commissionType !== 'RECEIVER'
  const why =
    service !== null && service !== amount && isExplained
      ? 'the amount charged to the card: it may include a commission or be in another currency'
      : null
  return rowOf('amount', amount, service, { why })
}

/** The status that the journal last saw; one that it never saw cannot be compared. */
function compareOrder({ status, body }: Intent, answer: Members): Row[] {
  const request = requestIn(body)
  const acquiring = text(request.acquiringCurrency)
  // One of the two members that may tell it.
  const currency = (text(answer.initialCurrency) ?? text(answer.currency))?.toUpperCase() ?? null
  return [
    rowOf('status', status, text(answer.status)),
    shownRow(request, answer) ?? chargedRow(request, answer),
    rowOf('currency', text(request.currency) ?? 'GEL', currency),
    ...(acquiring === null ? [] : [rowOf('acquiringCurrency', acquiring, text(answer.acquiringCurrency))]),
  ]
}

/** Throws a Failure: not-found (6) for an order that the journal, or the service, does not know. */
export async function diffOrder(desk: Desk, id: string): Promise<OrderDiff> {
  const found = await orderOfId(desk, id)
  const { integratorOrderId, created } = found
  if (!created) throw orderNotInJournal(found, desk)
  const { answer } = await askOrder(desk, found)
  const unknown = hint`it is not known whether it was created: \`${paste('resume', created.journalId)}\` resolves it`
  const warnings = created.state === 'unknown' ? [hintInWords(unknown)] : []
  return { integratorOrderId, ...diffOf(desk, created, compareOrder(created, answer), warnings) }
}

function orderNotInJournal({ integratorOrderId, writes }: FoundOrder, { profile }: Desk): Failure {
  return new Failure('not-found', `the journal has no order ${integratorOrderId} of the profile ${profile.name}`, {
    ...about(createOrder),
    uniqueId: integratorOrderId,
    moneyMoved: moneyMovedOf(writes) ?? 'no',
    hints: [
      hint`\`${paste('order status', integratorOrderId)}\` shows it at the service; another machine may have created it.`,
    ],
  })
}
