/** The request that creates a payout (specification A1). */
import { z } from 'zod'
import { generalBreach } from '../assumed.ts'
import { commaAdvice, minorUnits } from '../core/decimal.ts'
import { dottedDateForm, field, ibanForm, someTextForm, statementForm, sumForm } from '../core/field.ts'
import { hasGeorgianPattern, ibanPatternInWords } from '../core/iban.ts'
import type { Members } from '../core/members.ts'
import { freeText, nineOrElevenDigits, oneOf, text, uuidV4, validIban } from '../core/rules.ts'
import { alphabetComplaint, strangeCharacter } from '../core/text.ts'
import { isRealDottedDate } from '../date.ts'
import { type Rule, violation } from '../operation.ts'

export const currencies = ['GEL', 'USD', 'EUR'] as const
export type Currency = (typeof currencies)[number]

function complaintAboutAmount(value: string): string | null {
  const units = minorUnits(value)
  if (units === null) {
    return /^\d+\.\d{3,}$/.test(value)
      ? 'has more than 2 decimals'
      : `must be a plain decimal number like 12.50, without sign, exponent or separators${commaAdvice(value)}`
  }
  if (units === 0n) return 'must be greater than 0'
  return value.replace('.', '').length > 10 ? 'has more than 10 digits, decimals included' : null
}

/** At most 10 digits with up to 2 decimals, all counted. */
export const amount = text.superRefine((value, context) => {
  const complaint = complaintAboutAmount(value)
  if (complaint) context.addIssue({ code: 'custom', message: complaint })
})

export const currency = oneOf(currencies)

export const receiverType = oneOf(['BRANCH', 'USER'])

/** The alphabet of bank statements. */
export const statementText = text.superRefine((value, context) => {
  const complaint = value.trim() === '' ? 'must not be empty' : alphabetComplaint(value)
  if (complaint) context.addIssue({ code: 'custom', message: complaint })
})

/** Check digits are not looked at (debtorIban, fromIban). */
export const ibanPattern = text.refine(hasGeorgianPattern, {
  error: `must be ${ibanPatternInWords}`,
})

export const realDate = text.refine(isRealDottedDate, {
  error: 'must be a date of the calendar, dd.MM.yyyy',
})

export const transactionId = text.regex(/^\d+$/, { error: 'must be a valid number' })

const ibans: ReadonlySet<string> = new Set(['toIban', 'debtorIban', 'fromIban'])
const ofPlainAscii: ReadonlySet<string> = new Set([
  ...ibans,
  ...['amount', 'currency', 'receiverId', 'receiverType', 'birthDate', 'debtorIdentityNumber'],
])

/** Follows a complaint: the character that is easily overlooked. '' where there is none. */
export function strangeIn(field: string, value: unknown): string {
  return ofPlainAscii.has(field) ? strangeCharacter(value, ibans.has(field)) : ''
}

export const newPayout = z.strictObject({
  amount: field(amount, {
    help: 'how much, greater than 0, at most 10 digits with up to 2 decimals',
    question: 'How much is to be paid?',
    json: 'number',
    schema: { ...sumForm, maximum: 9_999_999_999 },
    example: '12.50',
  }),
  currency: field(currency, { help: 'currency of the amount', question: 'In which currency?', example: 'GEL' }),
  description: field(statementText, {
    help: "payment purpose; appears in the beneficiary's bank statement",
    question: 'What is it for? The beneficiary reads this on the bank statement.',
    schema: statementForm,
    example: 'Salary, November',
  }),
  beneficiaryIdentityNumber: field(freeText.optional(), {
    help: 'official identity number of the beneficiary (person or company)',
    question: 'What is the official identity number of the beneficiary?',
    schema: someTextForm,
    example: '01001000001',
  }),
  beneficiaryName: field(freeText.optional(), {
    help: 'full legal name of the beneficiary, as in the bank records',
    question: 'What is the full legal name of the beneficiary, as the bank has it?',
    schema: someTextForm,
    asked: () => true,
    example: 'Nino Beridze',
  }),
  beneficiaryAddress: field(freeText.optional(), {
    help: 'physical or registered address of the beneficiary',
    question: 'What is the address of the beneficiary?',
    schema: someTextForm,
  }),
  toIban: field(validIban.optional(), {
    help: 'beneficiary IBAN; or else --receiver-id with --receiver-type',
    question: 'To which IBAN?',
    about: 'beneficiary IBAN, whose check digits are right; or else receiverId with receiverType',
    breachCode: 5023,
    asked: ({ receiverId, receiverType }) => receiverId === undefined && receiverType === undefined,
    example: 'GE29NB0000000101904917',
  }),
  receiverId: field(uuidV4.optional(), {
    help: 'registered receiver, a UUID; with --receiver-type',
    question: 'To which registered receiver? Its UUID.',
    about: 'registered receiver, a UUID; with receiverType, and without toIban',
    asked: ({ toIban }) => toIban === undefined,
  }),
  receiverType: field(receiverType.optional(), {
    help: 'kind of the registered receiver',
    question: 'Of which kind is this receiver?',
    asked: ({ receiverId }) => receiverId !== undefined,
  }),
  birthDate: field(realDate.optional(), {
    help: 'birth date of the beneficiary, dd.MM.yyyy',
    question: 'What is the birth date of the beneficiary? As dd.MM.yyyy.',
    schema: dottedDateForm,
    example: '29.02.1988',
  }),
  uniqueId: field(uuidV4, {
    help: 'your id of this payout, a UUID v4; generated if omitted',
    about: 'your id of this payout, a UUID v4',
    made: true,
  }),
  debtorName: field(statementText.optional(), {
    help: "payer's full legal name, for the bank description only; restricted",
    schema: statementForm,
    permission: 'debtor',
  }),
  debtorIban: field(ibanPattern.optional(), {
    help: "payer's IBAN, for the bank description only, nothing is debited from it; restricted",
    schema: ibanForm,
    permission: 'debtor',
  }),
  debtorIdentityNumber: field(nineOrElevenDigits.optional(), {
    help: "payer's identity number, 9 or 11 digits, for the bank description only; restricted",
    permission: 'debtor',
  }),
  fromIban: field(ibanPattern.optional(), {
    help: 'your account that is debited; restricted',
    schema: ibanForm,
    permission: 'fromIban',
  }),
})

/** An IBAN, or the type and id of a registered receiver, as one text. */
export function accountIn({ toIban, receiverType, receiverId }: Members): string {
  return toIban === undefined ? `${receiverType} ${receiverId}` : String(toIban)
}

/** The fields that `accountIn` made an account of. */
export function receiverIn(account: string): Members {
  const [receiverType, receiverId] = account.split(' ')
  return receiverId === undefined ? { toIban: account } : { receiverType, receiverId }
}

/** A1, rule 2: `toIban`, or `receiverId` with `receiverType`. */
export const oneWayToTheBeneficiary: Rule = ({ toIban, receiverId, receiverType }) => {
  const breach = (field: string, message: string) => [violation(field, message, generalBreach)]
  if (toIban !== undefined && (receiverId !== undefined || receiverType !== undefined)) {
    return breach('toIban', 'or a registered receiver: give one, not both')
  }
  if (toIban !== undefined) return []
  if (receiverId === undefined && receiverType === undefined) {
    return breach('toIban', 'or a registered receiver is required')
  }
  if (receiverId === undefined) return breach('receiverId', 'is required together with a receiver type')
  if (receiverType === undefined) return breach('receiverType', 'is required together with a receiver id')
  return []
}
