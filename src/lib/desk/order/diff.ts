/** Compares an order in the journal with the one at the service, field by field. Nothing is changed at the service. */
import { fromMinorUnits, minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import type { Members } from '../../contract/core/members.ts'
import { sumOfOrderShown } from '../../contract/order/asked-sum.ts'
import { createOrder } from '../../contract/order/order.ts'
import { about, Failure } from '../../failure.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import type { Intent } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import type { Desk } from '../desk.ts'
import { moneyOf } from '../recover/at-stake.ts'
import { askOrder } from './ask.ts'
import { type FoundOrder, orderOfId } from './find.ts'
import type { orderDiffResult } from './result.ts'

export type OrderComparison = OrderDiff['compared'][number]

export type OrderDiff = ResultOf<typeof orderDiffResult>

function text(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

function row(field: string, journal: string | null, service: string | null, why: string | null): OrderComparison {
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
  return row('amount', money(String(request.amount)), money(shown), null)
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
      ? 'what the card is charged: it may hold a commission, or be of another currency'
      : null
  return row('amount', amount, service, why)
}

/** The currency of the order: one of the two members that may tell it, the one that differs where they do not agree. */
function currencyIn({ initialCurrency, currency }: Members): string | null {
  return (text(initialCurrency) ?? text(currency))?.toUpperCase() ?? null
}

/** The status that the journal last saw; one that it never saw cannot be compared. */
function compare(intent: Intent, request: Members, answer: Members): OrderComparison[] {
  const acquiring = text(request.acquiringCurrency)
  return [
    row('status', intent.status, text(answer.status), null),
    shownRow(request, answer) ?? chargedRow(request, answer),
    row('currency', text(request.currency) ?? 'GEL', currencyIn(answer), null),
    ...(acquiring === null ? [] : [row('acquiringCurrency', acquiring, text(answer.acquiringCurrency), null)]),
  ]
}

/** Throws a Failure: not-found (6) for an order that the journal, or the service, does not know. */
export async function diffOrder(desk: Desk, id: string): Promise<OrderDiff> {
  const found = await orderOfId(desk, id)
  const { integratorOrderId, created } = found
  if (!created) throw notInJournal(found, desk)
  const request = readJson(created.body)
  const { answer } = await askOrder(desk, found)
  const compared = compare(created, isRecord(request) ? request : {}, answer)
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
              hint`the journal does not know whether it was created: \`${paste('resume', created.journalId)}\` resolves it`,
            ),
          ]
        : [],
  }
}

function notInJournal({ integratorOrderId, writes }: FoundOrder, { profile }: Desk): Failure {
  return new Failure('not-found', `the journal knows no order ${integratorOrderId} of the profile ${profile.name}`, {
    ...about(createOrder),
    uniqueId: integratorOrderId,
    moneyMoved: moneyOf(writes) ?? 'no',
    hints: [hint`\`${paste('order status')}\` shows what the service has; another machine may have made it.`],
  })
}
