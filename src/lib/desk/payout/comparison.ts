/** A payout as the journal holds it against what the details (A2) show of it, field by field. */
import { descriptionSeparator } from '../../contract/assumed.ts'
import { fromMinorUnits, minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import type { Members } from '../../contract/core/members.ts'
import type { PayoutDetails } from '../../contract/payout/payout.ts'
import type { Intent } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'

/** The fields of a payout that A2 can show. */
export const comparable = ['uniqueId', 'amount', 'currency', 'toIban', 'description'] as const

export interface Comparison {
  readonly field: (typeof comparable)[number]
  readonly journal: string | null
  readonly service: string | null
  readonly equal: boolean
}

/** These fields as A2 shows them. */
export function serviceShows(details: PayoutDetails): Record<Comparison['field'], string | null> {
  return {
    uniqueId: details.uniqueId.toLowerCase(),
    amount: money(details.amount.text),
    currency: details.currency,
    toIban: details.toIban,
    description: details.paymentDescription,
  }
}

export function compare(request: Members, details: PayoutDetails): Comparison[] {
  const service = serviceShows(details)
  return (
    comparable
      // Null: it was removed from the journal, and nothing can be said of it.
      .filter((field) => request[field] !== undefined && request[field] !== null)
      .map((field) => {
        const text = String(request[field])
        const journal = field === 'amount' ? money(text) : field === 'uniqueId' ? text.toLowerCase() : text
        const seen = service[field]
        const equal = field === 'description' ? descriptionAgrees(request, seen) : letters(journal) === letters(seen)
        return { field, journal, service: seen, equal }
      })
  )
}

/** An account or a currency without regard to blanks and capitals. */
function letters(text: string | null): string | null {
  return text?.replace(/\s/g, '').toUpperCase() ?? null
}

function money(text: string): string {
  const units = minorUnits(plainDecimal(text) ?? text)
  return units === null ? text : fromMinorUnits(units)
}

/** The description as given, or after the debtor fields that were sent (service.md#payouts: read both). */
function descriptionAgrees(request: Members, shown: string | null): boolean {
  const debtor = ['debtorName', 'debtorIban', 'debtorIdentityNumber'].flatMap((name) => request[name] ?? [])
  const joined = [...debtor, request.description].join(descriptionSeparator)
  return shown === request.description || shown === joined
}

/** The fields that say how much goes to whom. */
const decisive: ReadonlySet<string> = new Set(['amount', 'currency', 'toIban'])

/** "amount is 99.00, not 12.50": how a payout of this id differs in what goes to whom; null where it does not. */
export function sumDiffers(intent: Intent, details: PayoutDetails): string | null {
  const request = readJson(intent.body)
  if (!isRecord(request)) return null
  const different = compare(request, details).filter(
    ({ field, service, equal }) => decisive.has(field) && service !== null && !equal,
  )
  if (different.length === 0) return null
  return different.map(({ field, journal, service }) => `${field} is ${service}, not ${journal}`).join('; ')
}

/** The fields of a payout that the details do not show, so that nobody could compare them. */
export function notShown(intent: Intent, details: PayoutDetails): readonly Comparison['field'][] {
  const request = readJson(intent.body)
  if (!isRecord(request)) return []
  return compare(request, details).flatMap(({ field, service }) => (service === null ? [field] : []))
}
