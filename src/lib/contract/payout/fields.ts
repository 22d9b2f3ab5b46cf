/** The rules of the single fields of a payout (specification A1). Requiredness is assumed (service.md#payouts). */
import { isRealDottedDate } from '../core/date.ts'
import { mendedComma, minorUnits } from '../core/decimal.ts'
import { hasGeorgianPattern, ibanPatternInWords } from '../core/iban.ts'
import { oneOf, text } from '../core/scalar.ts'
import { alphabetComplaint, strangeCharacter } from '../core/text.ts'
import { currencies } from './currencies.ts'

function complaintAboutAmount(value: string): string | null {
  const units = minorUnits(value)
  if (units === null) {
    return /^\d+\.\d{3,}$/.test(value)
      ? 'has more than 2 decimals'
      : `must be a plain decimal number like 12.50, without sign, exponent or separators${mendedComma(value)}`
  }
  if (units === 0n) return 'must be greater than 0'
  return value.replace('.', '').length > 10 ? 'has more than 10 digits, decimals included' : null
}

/** Greater than 0; at most 10 digits with up to 2 decimals, all digits counted. Decimal text. */
export const amount = text.superRefine((value, context) => {
  const complaint = complaintAboutAmount(value)
  if (complaint) context.addIssue({ code: 'custom', message: complaint })
})

export const currency = oneOf(currencies)

export const receiverType = oneOf(['BRANCH', 'USER'])

/** Letters, digits, Georgian letters, blank and the symbols of the specification. */
export const statementText = text.superRefine((value, context) => {
  const complaint = value.trim() === '' ? 'must not be empty' : alphabetComplaint(value)
  if (complaint) context.addIssue({ code: 'custom', message: complaint })
})

/** Pattern of debtorIban and fromIban; check digits are not looked at. */
export const ibanPattern = text.refine(hasGeorgianPattern, {
  error: `must be ${ibanPatternInWords}`,
})

export const realDate = text.refine(isRealDottedDate, {
  error: 'must be a date of the calendar, dd.MM.yyyy',
})

/** A transaction identifier of the service: a whole number of any length. */
export const transactionId = text.regex(/^\d+$/, { error: 'must be a valid number' })

const ibans: ReadonlySet<string> = new Set(['toIban', 'debtorIban', 'fromIban'])
const ofPlainAscii: ReadonlySet<string> = new Set([
  ...ibans,
  ...['amount', 'currency', 'receiverId', 'receiverType', 'birthDate', 'debtorIdentityNumber'],
])

/** Words behind a complaint about a field: the character in it that is easily overlooked, and its place. '' where there is none. */
export function strangeIn(field: string, value: unknown): string {
  return ofPlainAscii.has(field) ? strangeCharacter(value, ibans.has(field)) : ''
}
