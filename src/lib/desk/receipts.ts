/** The receipt of a write: what `--json` prints, and what a repeat of the same command gets again. */
import { fromMinorUnits, JsonNumber, sumOf } from '../contract/core/decimal.ts'
import { writePayload } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import { writeNamed } from '../contract/operations.ts'
import { checkoutAddress } from '../contract/order/order.ts'
import { planMembers } from '../contract/order/plan.ts'
import { blank, type Hint, hint, hintInWords, type Naming, paste } from '../hint.ts'
import type { Intent } from '../journal/intent.ts'
import { requestIn, unpaidEnd } from '../journal/payment-end.ts'
import { isRecord } from '../json.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import type { createdResult, doneResult, receiptResult } from './results.ts'
import type { Submitted } from './submit.ts'

/** The receipt of a payout. */
export type Receipt = ResultOf<typeof receiptResult>
export type CreatedReceipt = ResultOf<typeof createdResult>

function outcomeOf({ state }: Intent): Receipt['outcome'] {
  return state === 'exists' || state === 'refused' ? state : 'accepted'
}

/** The desk that a receipt is made at. */
interface At {
  readonly journal: Pick<Desk['journal'], 'head'>
  readonly naming: Naming
}

/** The receipt of a payout that the service has. */
export function receiptOf({ intent, replayed, warnings }: Submitted, { journal, naming }: At): Receipt {
  const idUnknown = intent.state === 'exists' && intent.transactionId === null
  return {
    outcome: outcomeOf(intent),
    transactionId: intent.transactionId,
    status: intent.status,
    statusDescription: intent.statusDescription,
    uniqueId: intent.uniqueId,
    createdAt: intent.createdAt,
    amount: new JsonNumber(fromMinorUnits(BigInt(intent.amountMinor ?? '0'))),
    currency: intent.currency ?? '',
    payee: intent.payee,
    journalId: intent.journalId,
    journalHead: journal.head,
    profile: intent.profile,
    environment: intent.environment,
    idUnknown,
    sumConfirmed: isSumConfirmed(intent),
    replayed,
    warnings: [
      ...warnings,
      ...(idUnknown ? [hintInWords(unknownId(intent), naming)] : []),
      ...sumWarning(intent),
      ...statusWarning(intent, naming),
    ],
  }
}

function unknownId(intent: Intent): Hint {
  const { operatorWord: word } = intent
  const known = word === null ? 'the service has this payout' : `resolved as executed by your statement: ${word}`
  const reconcile = paste('payout reconcile', intent.uniqueId, '--transaction-id', blank('<n>'))
  return hint`${known}, but its transactionId is not known. Do not pay it again: take the transaction number from the bank's statement, or from the service's staff, then run \`${reconcile}\``
}

/** An acceptance answers this very request; rows of earlier versions do not say more than that. Of nothing there is no sum. */
function isSumConfirmed(intent: Intent): boolean {
  return unpaidEnd(intent) === null && (intent.sumConfirmed ?? intent.state === 'accepted')
}

/** The warning that an id alone does not prove the sum. */
function sumWarning(intent: Intent): string[] {
  if (intent.state !== 'exists' || intent.amountMinor === null || isSumConfirmed(intent)) return []
  if (intent.operatorWord !== null || unpaidEnd(intent)) return []
  return [
    `the service has this id, but it is not confirmed that it executed ${sumOf(intent)}: another machine may have sent the id with another amount`,
  ]
}

/** The warning about the status that was seen last. */
function statusWarning({ operation, status, body }: Intent, naming: Naming): string[] {
  const remark = status === null ? null : writeNamed(operation)?.statusRemark(status, requestIn(body))
  return remark ? [hintInWords(remark, naming)] : []
}

/** The members that every other write has in common; those of the service's answer stand beside them. */
export type Done = ResultOf<typeof doneResult>

/** The plan of an order, which names the price: the amount of the order is 0. */
function planned({ body }: Intent): Members {
  const { subscriptionPlan: plan } = requestIn(body)
  return isRecord(plan) ? { subscriptionPlan: writePayload(planMembers, plan) } : {}
}

/** The sum that the request moves; where it names none, that of the answer. */
function amountOf({ amountMinor }: Intent, { amount }: Members): JsonNumber | null {
  if (amountMinor !== null) return new JsonNumber(fromMinorUnits(BigInt(amountMinor)))
  return amount instanceof JsonNumber ? amount : null
}

/** No answer says that it was done: what resolved it instead. */
function whyItExists(intent: Intent): string {
  const { operatorWord: word } = intent
  if (intent.isTaken)
    return `done already, by this request, sent twice on its way, or by another one: ${intent.because}`
  if (word !== null) return `resolved as executed by your statement: ${word}`
  return `its answer was lost, but the service has it: ${intent.because ?? 'it says that it has it already'}`
}

/** The receipt of any write but a payout. */
export function doneOf({ intent, replayed, warnings }: Submitted, { journal, naming }: At): Done {
  const answer = requestIn(intent.answer ?? '{}')
  const lost = intent.state === 'exists' && intent.answer === null
  return {
    outcome: outcomeOf(intent),
    operation: intent.operation,
    ...addressed(intent),
    ...planned(intent),
    ...beside(intent, answer),
    status: intent.status,
    amount: amountOf(intent, answer),
    currency: intent.currency,
    journalId: intent.journalId,
    journalHead: journal.head,
    profile: intent.profile,
    environment: intent.environment,
    ...(intent.amountMinor === null ? {} : { sumConfirmed: isSumConfirmed(intent) }),
    replayed,
    warnings: [
      ...warnings,
      ...sumWarning(intent),
      ...(lost ? [whyItExists(intent)] : []),
      ...statusWarning(intent, naming),
      ...remarksOn(intent, answer),
    ],
  }
}

/** The receipt of a write about an order that this journal created: a sum whose request names no currency has the order's. */
export function inCurrency(done: Done, currency: string | null): Done {
  return done.amount === null ? done : { ...done, currency: done.currency ?? currency }
}

/** The receipt that a write of this operation has. */
export function receiptFor(submitted: Submitted, at: At): Receipt | Done {
  const isPayout = writeNamed(submitted.intent.operation)?.proof.keeps === 'payout'
  return isPayout ? receiptOf(submitted, at) : doneOf(submitted, at)
}

// --- Members of the answer that stand beside those of the receipt, and replace none of them

/** The id of the object that a write is about, by the name that the specification gives it. */
function addressed({ body }: Intent): Members {
  const request = requestIn(body)
  const names = ['integratorOrderId', 'uniqueId', 'subscriptionId'].filter((name) => typeof request[name] === 'string')
  return Object.fromEntries(names.map((name) => [name, request[name]]))
}

/** Names by which receipts, their warnings and the views of them are known: no answer speaks under one of them. */
const ownNames: ReadonlySet<string> = new Set([
  ...['outcome', 'operation', 'journalId', 'journalHead', 'profile', 'environment', 'replayed', 'warnings'],
  ...['moneyMoved', 'error', 'dryRun', 'payee', 'idUnknown', 'sumConfirmed', 'finalizeBy', 'secondsLeft'],
  ...['__proto__', 'toJSON'],
])

/** Members that the receipt tells from the request, whatever the answer has in them. */
const toldAlready: ReadonlySet<string> = new Set(['status', 'amount', 'currency', 'subscriptionPlan', 'statusCode'])

/** The members of an answer that stand beside those of the receipt and can replace none. */
function beside(intent: Intent, answer: Members): Members {
  const known = addressed(intent)
  const others = Object.entries(answer).filter(
    ([name]) => !ownNames.has(name) && !toldAlready.has(name) && !Object.hasOwn(known, name),
  )
  // An address that is none of the web is never shown as one: a warning quotes it.
  return Object.fromEntries(others.map(([name, value]) => [name, name === 'urlForQR' ? checkoutAddress(value) : value]))
}

/** Remarks on an answer that was taken for done. */
function remarksOn(intent: Intent, answer: Members): readonly string[] {
  if (intent.answer === null) return []
  const remarks = writeNamed(intent.operation)?.proof.remarks(requestIn(intent.body), answer) ?? []
  const hidden = Object.keys(answer).filter((name) => ownNames.has(name))
  if (hidden.length === 0) return remarks
  return [...remarks, `the answer has members of names that are paydesk's own, not shown here: ${hidden.join(', ')}`]
}
