/** The rules of the single fields of a payout (specification A1). Requiredness is assumed (observed 5). */
import { z } from 'zod'
import { isRealDottedDate } from './date.ts'
import { minorUnits } from './decimal.ts'
import { hasGeorgianPattern, hasValidCheckDigits, ibanPatternInWords } from './iban.ts'
import { alphabetComplaint } from './text.ts'

function text(missing: string) {
  return z.string({ error: (issue) => (issue.input === undefined ? missing : 'must be text') })
}

function words(missing: string) {
  return text(missing).superRefine((value, context) => {
    const complaint = value.trim() === '' ? 'must not be empty' : alphabetComplaint(value)
    if (complaint) context.addIssue({ code: 'custom', message: complaint })
  })
}

function complaintAboutAmount(value: string): string | null {
  const units = minorUnits(value)
  if (units === null) {
    const more = /^\d+,\d+$/.test(value) ? ': write the decimals after a dot' : ''
    return /^\d+\.\d{3,}$/.test(value)
      ? 'has more than 2 decimals'
      : `must be a plain decimal number like 12.50, without sign, exponent or separators${more}`
  }
  if (units === 0n) return 'must be greater than 0'
  return value.replace('.', '').length > 10 ? 'has more than 10 digits, decimals included' : null
}

/** Greater than 0; at most 10 digits with up to 2 decimals, all digits counted. Decimal text. */
export const amount = text('is required').superRefine((value, context) => {
  const complaint = complaintAboutAmount(value)
  if (complaint) context.addIssue({ code: 'custom', message: complaint })
})

export const currencies = ['GEL', 'USD', 'EUR'] as const
export type Currency = (typeof currencies)[number]

export const currency = z.enum(currencies, {
  error: (issue) => (issue.input === undefined ? 'is required' : `must be one of ${currencies.join(', ')}`),
})

const receiverTypes = ['BRANCH', 'USER'] as const

export const receiverType = z.enum(receiverTypes, { error: `must be one of ${receiverTypes.join(', ')}` })

/** Letters, digits, Georgian letters, blank and the symbols of the specification. */
export const statementText = words('is required')

/** Free text of which the specification says nothing but what it is; only an empty one is refused. */
export const freeText = text('is required').refine((value) => value.trim() !== '', { error: 'must not be empty' })

export const uuidV4 = z.uuidv4({
  error: (issue) => (issue.input === undefined ? 'is required' : 'must be a UUID, version 4'),
})

/** Pattern of debtorIban and fromIban; check digits are not looked at. */
export const ibanPattern = text('is required').refine(hasGeorgianPattern, {
  error: `must be ${ibanPatternInWords}`,
})

/** A valid Georgian IBAN: pattern and check digits. */
export const validIban = text('is required').superRefine((value, context) => {
  if (!hasGeorgianPattern(value)) {
    context.addIssue({ code: 'custom', message: `must be a Georgian IBAN: ${ibanPatternInWords}` })
  } else if (!hasValidCheckDigits(value)) {
    context.addIssue({ code: 'custom', message: 'has wrong check digits (mod-97): one of its characters is mistyped' })
  }
})

export const realDate = text('is required').refine(isRealDottedDate, {
  error: 'must be a date of the calendar, dd.MM.yyyy',
})

export const nineOrElevenDigits = text('is required').regex(/^(\d{9}|\d{11})$/, { error: 'must be 9 or 11 digits' })

/** A transaction identifier of the service: a whole number of any length. */
export const transactionId = text('is required').regex(/^\d+$/, { error: 'must be a valid number' })
