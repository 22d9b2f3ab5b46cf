/** The receipt of a payout for its beneficiary. It says plainly if the payout was not paid, or if nobody knows. */
import { JsonNumber } from '../contract/core/decimal.ts'
import { accountInWords } from '../contract/core/iban.ts'
import { unconfirmedInWords } from '../contract/payout/status.ts'
import type { Intent } from '../journal/intent.ts'
import { requestIn } from '../journal/payment-end.ts'
import { removedWord } from '../journal/row.ts'
import type { ResultOf } from '../result.ts'
import type { beneficiaryReceiptResult } from './result.ts'
import { isExecutedHere, type ListedThing, listedRow } from './row.ts'

export type BeneficiaryReceipt = ResultOf<typeof beneficiaryReceiptResult>
type ReceiptStanding = BeneficiaryReceipt['standing']

export const receiptTitles: Readonly<Record<ReceiptStanding, string>> = {
  paid: 'Payment receipt',
  accepted: 'NOT PAID YET: this is not a receipt',
  'not-paid': 'NOT PAID: this is not a receipt',
  'not-sent': 'NOT SENT: this is not a receipt',
  unknown: 'UNKNOWN WHETHER PAID: this is not a receipt',
  disputed: 'CONTRADICTORY: this is not a receipt',
}

const statements: Readonly<Record<ReceiptStanding, string>> = {
  paid: 'The payment was executed.',
  accepted: 'The payment was accepted and is not executed yet. It may still fail.',
  'not-paid': 'The payment was accepted, but it was not executed. No money was paid.',
  'not-sent': 'The payment was not sent. No money was paid.',
  unknown: 'It is not known whether the payment was executed. The sender has to find out.',
  disputed:
    'The answers about this payment contradict each other: the sender must find out whether it was paid, and how much.',
}

function paperStanding(thing: ListedThing, now: number): ReceiptStanding {
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

/** Why nothing was paid, by the state of the journal. */
const unsentStatements: Readonly<Partial<Record<Intent['state'], string>>> = {
  held: 'The payment waits at the sender and was not sent so far. No money was paid.',
  refused: 'The payment service refused the payment. No money was paid.',
  'turned-away': 'The payment service did not take the payment so far. No money was paid.',
}

function statementOf(standing: ReceiptStanding, { state }: Intent): string {
  if (standing === 'unknown' && state === 'exists') {
    return `It is not known whether the payment was executed: ${unconfirmedInWords}. The sender has to find out.`
  }
  return (standing === 'not-sent' ? unsentStatements[state] : null) ?? statements[standing]
}

/** `now`: milliseconds since 1970. */
export function beneficiaryReceipt(
  thing: ListedThing,
  { now, head, warnings }: { readonly now: number; readonly head: string | null; readonly warnings: readonly string[] },
): BeneficiaryReceipt {
  const { created, read } = thing
  const standing = paperStanding(thing, now)
  const row = listedRow('payout', thing, now)
  const request = requestIn(created.body)
  return {
    paid: standing === 'paid',
    standing,
    statement: statementOf(standing, created),
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
  const { beneficiary, description, payer, transactionId, reference, orderedAt, knownAt, serviceTime } = receipt
  const facts: readonly (readonly [string, string | null])[] = [
    ['As of', times(knownAt)],
    ['To', beneficiary.name],
    ['Account', accountInWords(beneficiary.account)],
    ['For', description],
    ['From', payer],
    ['Made', times(orderedAt)],
    ['Accepted by the service', serviceTime === null ? null : `${serviceTime} (the service's own clock)`],
    ['Transaction', transactionId],
    ['Reference', reference],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}

// The receipt as one page for a browser, a mail or paper: it holds all it needs, and no script.

const style = `
body { margin: 0 auto; padding: 1.5rem 1rem; max-width: 40rem; overflow-wrap: anywhere; }
main { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0; }
.sum { font-size: 1.75rem; font-weight: 650; margin: .75rem 0 .25rem; font-variant-numeric: tabular-nums; }
.paid h1 { color: var(--accent); } .open h1 { color: var(--bad); } .open .sum { text-decoration: line-through; }
.test { border: 2px solid var(--bad); padding: .25rem .5rem; }
dl { margin: 1rem 0 0; } dl > div { border-top: 1px solid var(--line); padding: .375rem 0; }
dt { color: var(--quiet); font-size: .875rem; } dd { margin: 0; }
@page { size: A4; margin: 18mm; }
@media print {
  body { padding: 0; max-width: none; } main { border: 0; padding: 0; } dl > div { break-inside: avoid; } }
`

/** The whole text of the page. Foreign texts stand for themselves whichever way they are written. */
export async function receiptPage(receipt: BeneficiaryReceipt, times: ReceiptTimes): Promise<string> {
  const [{ html }, { htmlPage }] = await Promise.all([import('hono/html'), import('../html.ts')])
  const { paid, standing, statement, amount, currency, environment } = receipt
  const title = receiptTitles[standing]
  const body = html`<main class="${paid ? 'paid' : 'open'}"><h1>${title}</h1>
${environment === 'live' ? '' : html`<p class="test">TEST (${environment}): no real money</p>`}
<p class="sum">${currency} ${amount.text}</p><p>${statement}</p>
<dl>${groupedFacts(receipt, times).map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl></main>`
  return htmlPage({ title, style, body, isFile: true })
}
