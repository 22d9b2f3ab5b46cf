/**
 * Closes an intent whose transactionId nobody told: the service has the payout (EXISTS) or may have it (UNKNOWN). A2 is read
 * and compared with what the journal holds; what A2 does not show is named, because it could not be compared.
 */
import { descriptionSeparator } from '../contract/assumed.ts'
import { fromMinorUnits, minorUnits, plainDecimal } from '../contract/decimal.ts'
import { createPayout, type PayoutDetails, payoutDetails } from '../contract/payout.ts'
import { Failure } from '../failure.ts'
import { factsOf, type Intent } from '../journal/intent.ts'
import { isRecord, readJson } from '../json.ts'
import { call } from './call.ts'
import type { Desk } from './desk.ts'
import { findIntent } from './find.ts'
import { type Receipt, receiptOf } from './receipt.ts'

/** What A2 can show of a payout. */
const comparable = ['uniqueId', 'amount', 'currency', 'toIban', 'description'] as const

export interface Comparison {
  readonly field: string
  readonly journal: string | null
  readonly service: string | null
  readonly equal: boolean
}

export interface Reconciled extends Receipt {
  readonly compared: readonly Comparison[]
  /** Fields that were sent and that A2 does not show. */
  readonly notShown: readonly string[]
}

export async function reconcile(desk: Desk, id: string, named: string): Promise<Reconciled> {
  const transactionId = BigInt(named).toString()
  const intent = await findIntent(desk, id, [createPayout.name])
  const request = requestOf(intent)
  const details = await call(desk, payoutDetails, { transaction_id: transactionId })
  const compared = compare(request, details)
  const different = compared.filter(({ equal }) => !equal)
  if (different.length > 0) throw otherPayout(intent, transactionId, different)
  if (intent.transactionId !== null && intent.transactionId !== transactionId) throw hasAnother(intent)
  const because = `reconciled with transaction ${transactionId}: ${compared.map(({ field }) => field).join(', ')} agree`
  const { status, statusDescription, createdAt } = details
  const closed =
    intent.state === 'accepted'
      ? intent
      : await desk.journal.close(intent, 'accepted', because, {
          seen: { transactionId, status, statusDescription, createdAt, answer: null },
        })
  const shown = new Set<string>(comparable)
  const notShown = Object.keys(request).filter((name) => !shown.has(name))
  return { ...receiptOf({ intent: closed, replayed: false, warnings: [] }), compared, notShown }
}

function requestOf(intent: Intent): Record<string, unknown> {
  const request = readJson(intent.body)
  if (intent.operation !== createPayout.name || !isRecord(request)) {
    throw new Failure('usage', `${intent.journalId} is no payout but ${intent.operation}`, factsOf(intent))
  }
  return request
}

function compare(request: Readonly<Record<string, unknown>>, details: PayoutDetails): Comparison[] {
  const service: Record<(typeof comparable)[number], string | null> = {
    uniqueId: details.uniqueId.toLowerCase(),
    amount: money(details.amount.text),
    currency: details.currency,
    toIban: details.toIban,
    description: details.paymentDescription,
  }
  return comparable
    .filter((field) => request[field] !== undefined)
    .map((field) => {
      const text = String(request[field])
      const journal = field === 'amount' ? money(text) : field === 'uniqueId' ? text.toLowerCase() : text
      const seen = service[field]
      const equal = field === 'description' ? descriptionAgrees(request, seen) : journal === seen
      return { field, journal, service: seen, equal }
    })
}

function money(text: string): string {
  const units = minorUnits(plainDecimal(text) ?? text)
  return units === null ? text : fromMinorUnits(units)
}

/** The description as given, or after the debtor fields that were sent (observed 5: read both). */
function descriptionAgrees(request: Readonly<Record<string, unknown>>, shown: string | null): boolean {
  const debtor = ['debtorName', 'debtorIban', 'debtorIdentityNumber'].flatMap((name) => request[name] ?? [])
  const joined = [...debtor, request.description].join(descriptionSeparator)
  return shown === request.description || shown === joined
}

function otherPayout(intent: Intent, transactionId: string, different: readonly Comparison[]): Failure {
  const how = different.map(({ field, journal, service }) => `${field} is ${service ?? 'absent'}, not ${journal}`)
  return new Failure('not-found', `transaction ${transactionId} is another payout: ${how.join('; ')}`, {
    ...factsOf(intent),
    transactionId,
    moneyMoved: 'unknown',
    hints: ['Nothing was changed in the journal. Look for the transactionId that belongs to this uniqueId.'],
  })
}

function hasAnother(intent: Intent): Failure {
  return new Failure('duplicate', `${intent.journalId} is transaction ${intent.transactionId} already`, factsOf(intent))
}
