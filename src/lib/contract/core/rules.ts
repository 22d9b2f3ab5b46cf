/** Rules that fields of several areas share. Each says first that something is required, then what it must be. */
import { z } from 'zod'
import { commaAdvice, minorUnits } from './decimal.ts'
import { ibanForm, identityForm, sumForm, webForm, withFacts } from './field.ts'
import { hasGeorgianPattern, hasValidCheckDigits, ibanPatternInWords, tidyIban } from './iban.ts'

export const trimmed = (typed: string) => typed.trim()

const missing = 'is required'

function orMissing(complaint: string) {
  return (issue: { readonly input?: unknown }) => (issue.input === undefined ? missing : complaint)
}

export const text = z.string({ error: orMissing('must be text') })

/** Only an empty one is refused. */
export const freeText = text.refine((value) => value.trim() !== '', { error: 'must not be empty' })

/** In capitals it is the same one. */
export const tidyUuid = (typed: string) => typed.trim().toLowerCase()

export const uuidV4 = withFacts(z.uuidv4({ error: orMissing('must be a UUID, version 4') }), { tidy: tidyUuid })

/** Of any version and variant. */
export const anyUuid = withFacts(z.guid({ error: orMissing('must be a UUID') }), { tidy: tidyUuid })

export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, {
    error: orMissing(words.length === 1 ? `must be ${words[0]}` : `must be one of ${words.join(', ')}`),
  })
}

export const yesOrNo = withFacts(z.enum(['true', 'false'], { error: orMissing('must be true or false') }), {
  json: 'boolean',
})

/** Null for a valid one. */
export function ibanComplaint(value: string): string | null {
  if (!hasGeorgianPattern(value)) return `must be a Georgian IBAN: ${ibanPatternInWords}`
  return hasValidCheckDigits(value) ? null : 'has wrong check digits: one of its characters is mistyped'
}

export const validIban = withFacts(
  text.superRefine((value, context) => {
    const complaint = ibanComplaint(value)
    if (complaint) context.addIssue({ code: 'custom', message: complaint })
  }),
  { schema: ibanForm, tidy: tidyIban },
)

/** 9 digits for a company, 11 for a person. */
export const isIdentityNumber = (value: string) => /^(\d{9}|\d{11})$/.test(value)

export const nineOrElevenDigits = withFacts(text.refine(isIdentityNumber, { error: 'must be 9 or 11 digits' }), {
  schema: identityForm,
})

/** Something before or after it, even a blank, makes it another one. */
export const webAddress = withFacts(
  text.refine((value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value), {
    error: 'must be an address that begins with http:// or https://',
  }),
  { schema: webForm, tidy: trimmed },
)

/** Codes of areas B, C and D for a wrong sum. */
export interface SumCodes {
  readonly format: number
  readonly decimals: number
  readonly sign: number
}

export const orderSumCodes: SumCodes = { format: 6021, decimals: 6058, sign: 6068 }

export function oneCode(code: number): SumCodes {
  return { format: code, decimals: code, sign: code }
}

interface Complaint {
  readonly message: string
  readonly code: number
}

export const notPositive = 'must be greater than 0'

function complaintAbout(value: string, codes: SumCodes, zero: boolean): Complaint | null {
  const units = minorUnits(value)
  if (units !== null) return units === 0n && !zero ? { message: notPositive, code: codes.sign } : null
  if (/^-?\d+\.\d{3,}$/.test(value)) return { message: 'has more than 2 decimals', code: codes.decimals }
  if (minorUnits(value.replace(/^-/, '')) !== null) return { message: notPositive, code: codes.sign }
  return {
    message: `must be a plain decimal number like 12.50, without exponent or separators${commaAdvice(value)}`,
    code: codes.format,
  }
}

/** `zero` lets 0 pass, where another rule decides about it. */
export function sum(codes: SumCodes, zero: 'zero too' | 'greater than 0' = 'greater than 0') {
  const rule = text.superRefine((value, context) => {
    const complaint = complaintAbout(value, codes, zero === 'zero too')
    if (complaint) context.addIssue({ code: 'custom', message: complaint.message, params: { code: complaint.code } })
  })
  return withFacts(rule, { json: 'number', schema: sumForm })
}

/** Null where it is no sum, which the field's own rule complains about. */
export function unitsOf(value: unknown): bigint | null {
  return typeof value === 'string' ? minorUnits(value) : null
}
