/** The receipt of a payout for its beneficiary. It says plainly if the payout was not paid, or if nobody knows. */
import { JsonNumber } from '../contract/core/decimal.ts'
import { accountInWords } from '../contract/core/iban.ts'
import { requestIn } from '../journal/payment-end.ts'
import { removedWord } from '../journal/row.ts'
import type { ResultOf } from '../result.ts'
import type { beneficiaryReceiptResult } from './result.ts'
import { isExecutedHere, type ListedThing, listedRow } from './row.ts'

export type BeneficiaryReceipt = ResultOf<typeof beneficiaryReceiptResult>
type PaperStanding = BeneficiaryReceipt['standing']

export const paperTitles: Readonly<Record<PaperStanding, string>> = {
  paid: 'Payment receipt',
  accepted: 'NOT PAID YET: this is not a receipt',
  'not-paid': 'NOT PAID: this is not a receipt',
  'not-sent': 'NOT SENT: this is not a receipt',
  unknown: 'UNKNOWN WHETHER PAID: this is not a receipt',
  disputed: 'CONTRADICTORY: this is not a receipt',
}

const statements: Readonly<Record<PaperStanding, string>> = {
  paid: 'The payment was executed.',
  accepted: 'The payment was accepted and is not executed yet. It may still fail.',
  'not-paid': 'The payment was accepted, but it was not executed. No money was paid.',
  'not-sent': 'The payment was refused, or was not sent so far. No money was paid.',
  unknown: 'It is not known whether the payment was executed. The sender has to find out.',
  disputed:
    'The answers about this payment contradict each other: the sender must find out whether it was paid, and how much.',
}

function standingAt(thing: ListedThing, now: number): PaperStanding {
  const { created } = thing
  const { inDoubt, unresolved, end } = listedRow('payout', thing, now)
  if (inDoubt !== null) return 'disputed'
  if (unresolved.length > 0) return 'unknown'
  if (!isExecutedHere(created)) return 'not-sent'
  if (end === 'not-paid') return 'not-paid'
  // The service has its id, and nothing confirms the sum.
  if (created.sumConfirmed !== true) return 'unknown'
  return end === 'paid' ? 'paid' : 'accepted'
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A purge leaves null in the journal. */
function textOrRemoved(value: unknown): string | null {
  return value === null ? removedWord : textIn(value)
}

/** `now`: milliseconds since 1970. */
export function beneficiaryReceipt(
  thing: ListedThing,
  { now, head, warnings }: { readonly now: number; readonly head: string | null; readonly warnings: readonly string[] },
): BeneficiaryReceipt {
  const { created, read } = thing
  const standing = standingAt(thing, now)
  const row = listedRow('payout', thing, now)
  const request = requestIn(created.body)
  return {
    paid: standing === 'paid',
    standing,
    statement: statements[standing],
    amount: row.amount ?? new JsonNumber('0.00'),
    currency: row.currency ?? '',
    beneficiary: { name: row.name, account: row.account },
    description: textOrRemoved(request.description),
    payer: textOrRemoved(request.debtorName),
    transactionId: created.transactionId,
    reference: created.journalId,
    orderedAt: created.openedAt,
    knownAt: read?.at ?? created.changedAt,
    serviceTime: created.createdAt,
    environment: created.environment,
    journalHead: head,
    warnings,
  }
}

/** Formats a time (ISO, UTC) in local words. */
export type ReceiptTimes = (iso: string) => string

/** Names and values, in the order of a receipt. */
export function groupedFacts(receipt: BeneficiaryReceipt, times: ReceiptTimes): readonly (readonly [string, string])[] {
  const { beneficiary, description, payer, transactionId, reference, orderedAt, knownAt, serviceTime, journalHead } =
    receipt
  const facts: readonly (readonly [string, string | null])[] = [
    ['To', beneficiary.name],
    ['Account', accountInWords(beneficiary.account)],
    ['For', description],
    ['From', payer],
    ['Ordered', times(orderedAt)],
    ['Taken by the service', serviceTime === null ? null : `${serviceTime} (time of the service, zone not told)`],
    ['Transaction', transactionId],
    ['Reference', reference],
    ['As known', times(knownAt)],
    ['Journal head', journalHead],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}
