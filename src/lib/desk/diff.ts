/** Compares a payout or an order in the journal with the one at the service, field by field. Nothing is changed at the service. */

import { fromMinorUnits, minorUnits, plainDecimal } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'
import { createOrder } from '../contract/order/order.ts'
import { sumOfOrderShown } from '../contract/order/request.ts'
import { createPayout, type PayoutDetails, payoutDetails } from '../contract/payout/payout.ts'
import { about, Failure } from '../failure.ts'
import { hint, hintInWords, paste } from '../hint.ts'
import { factsOf, type Intent } from '../journal/intent.ts'
import { requestIn } from '../journal/payment-end.ts'
import { removedWord, splitRemoved } from '../journal/row.ts'
import { isRecord, readJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import { askOrder, type FoundOrder, orderOfId } from './orders.ts'
import { compare, payoutOfId, serviceShows, sumDiffers } from './payouts.ts'
import { readThing } from './read.ts'
import { comparable, type orderDiffResult, type payoutDiffResult } from './results.ts'
import { moneyMovedOf, readAbout } from './thing.ts'

// --- Payouts

export type PayoutDiff = ResultOf<typeof payoutDiffResult>

type Row = PayoutDiff['compared'][number]

function payoutRow(
  field: string,
  journal: string | null,
  service: string | null,
  isEqual: boolean,
  why: string | null,
): Row {
  const isComparable = journal !== null && service !== null && why === null
  const note = why ?? (service === null ? 'the service does not show it' : 'not in the journal')
  return { field, journal, service, equal: isComparable ? isEqual : null, note: isComparable ? null : note }
}

/** The service tells one time with more digits of a second here and fewer there. */
function isSameTime(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && (one.startsWith(other) || other.startsWith(one))
}

/** The status that the journal last saw, what was sent, and the time of the acceptance. */
function rowsOf(intent: Intent, details: PayoutDetails): Row[] {
  const request = requestIn(intent.body)
  const sent = compare(request, details)
  const { gone } = splitRemoved(intent.removedAt === null ? {} : request)
  return [
    payoutRow('status', intent.status, details.status, intent.status === details.status, null),
    ...sent.map(({ field, journal, service, equal }) => payoutRow(field, journal, service, equal, null)),
    ...comparable.flatMap((field) => {
      if (!gone.includes(field)) return []
      return [payoutRow(field, removedWord, serviceShows(details)[field], false, 'removed from the journal')]
    }),
    payoutRow('createdAt', intent.createdAt, details.createdAt, isSameTime(intent.createdAt, details.createdAt), null),
  ]
}

/** Throws a Failure: not-found (6) for a payout that the journal, or the service, does not know; as a read of it. */
export async function diffPayout(desk: Desk, id: string): Promise<PayoutDiff> {
  const { transactionId, intent, writes } = await payoutOfId(desk, id)
  if (!intent) throw payoutNotInJournal(transactionId, desk)
  const request = { transaction_id: transactionId }
  const facts = { ...factsOf(intent), ...about(payoutDetails) }
  const { answer: details } = await readAbout(desk, writes, facts, () =>
    readThing(desk, payoutDetails, request, { expected: intent.uniqueId }),
  )
  const differs = details.uniqueId.toLowerCase() === intent.uniqueId ? sumDiffers(intent, details) : null
  if (differs !== null)
    await desk.journal
      .noteSum(intent, differs)
      .catch(() => desk.tell.say('the journal could not store the amount that was read'))
  const compared = rowsOf(intent, details)
  const { name, environment } = desk.profile
  return {
    transactionId,
    uniqueId: intent.uniqueId,
    equal: compared.every(({ equal }) => equal !== false),
    compared,
    journalId: intent.journalId,
    profile: name,
    environment,
    warnings: [],
  }
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

type OrderComparison = OrderDiff['compared'][number]

export type OrderDiff = ResultOf<typeof orderDiffResult>

function text(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

function orderRow(field: string, journal: string | null, service: string | null, why: string | null): OrderComparison {
  const comparable = journal !== null && service !== null && why === null
  const note = comparable ? null : (why ?? (service === null ? 'the service does not show it' : 'not in the journal'))
  return { field, journal, service, equal: comparable ? journal === service : null, note }
}

function money(digits: string): string {
  const units = minorUnits(plainDecimal(digits) ?? digits)
  return units === null ? digits : fromMinorUnits(units)
}

/** The amount that the status has itself, where it differs from that of the order; null where it tells none, or agrees. */
function shownRow(request: Members, answer: Members): OrderComparison | null {
  const { amount: asked = [] } = sumOfOrderShown(request)
  const shown = text(answer.amount)
  if (shown === null || asked.length === 0 || asked.some((each) => money(String(each)) === money(shown))) return null
  return orderRow('amount', money(String(request.amount)), money(shown), null)
}

/** Compares the amount of the order with the charge of the payer's card, which the service may make another one. */
function chargedRow(request: Members, answer: Members): OrderComparison {
  const amount = money(String(request.amount))
  const charged = text(answer.acquiringAmount)
  const service = charged === null ? null : money(charged)
  const sameCurrency = text(answer.acquiringCurrency) === (text(request.currency) ?? 'GEL')
  const explained = !sameCurrency || request.commissionType !== 'RECEIVER'
  const why =
    service !== null && service !== amount && explained
      ? 'the amount charged to the card: it may include a commission or be in another currency'
      : null
  return orderRow('amount', amount, service, why)
}

/** The currency of the order: one of the two members that may tell it, the one that differs where they do not agree. */
function currencyIn({ initialCurrency, currency }: Members): string | null {
  return (text(initialCurrency) ?? text(currency))?.toUpperCase() ?? null
}

/** The status that the journal last saw; one that it never saw cannot be compared. */
function compareOrder(intent: Intent, request: Members, answer: Members): OrderComparison[] {
  const acquiring = text(request.acquiringCurrency)
  return [
    orderRow('status', intent.status, text(answer.status), null),
    shownRow(request, answer) ?? chargedRow(request, answer),
    orderRow('currency', text(request.currency) ?? 'GEL', currencyIn(answer), null),
    ...(acquiring === null ? [] : [orderRow('acquiringCurrency', acquiring, text(answer.acquiringCurrency), null)]),
  ]
}

/** Throws a Failure: not-found (6) for an order that the journal, or the service, does not know. */
export async function diffOrder(desk: Desk, id: string): Promise<OrderDiff> {
  const found = await orderOfId(desk, id)
  const { integratorOrderId, created } = found
  if (!created) throw orderNotInJournal(found, desk)
  const request = readJson(created.body)
  const { answer } = await askOrder(desk, found)
  const compared = compareOrder(created, isRecord(request) ? request : {}, answer)
  const { name, environment } = desk.profile
  return {
    integratorOrderId,
    equal: compared.every(({ equal }) => equal !== false),
    compared,
    journalId: created.journalId,
    profile: name,
    environment,
    warnings:
      created.state === 'unknown'
        ? [
            hintInWords(
              hint`it is not known whether it was created: \`${paste('resume', created.journalId)}\` resolves it`,
            ),
          ]
        : [],
  }
}

function orderNotInJournal({ integratorOrderId, writes }: FoundOrder, { profile }: Desk): Failure {
  return new Failure('not-found', `the journal has no order ${integratorOrderId} of the profile ${profile.name}`, {
    ...about(createOrder),
    uniqueId: integratorOrderId,
    moneyMoved: moneyMovedOf(writes) ?? 'no',
    hints: [hint`\`${paste('order status')}\` shows it at the service; another machine may have created it.`],
  })
}
