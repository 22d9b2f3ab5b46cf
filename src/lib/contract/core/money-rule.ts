/** Sums of areas B, C and D: decimal text with at most 2 decimals, each way to be wrong with its own code where there is one. */
import { mendedComma, minorUnits } from './decimal.ts'
import { text } from './scalar.ts'

/** Codes for a sum that is no number, has too many decimals, or is not greater than 0. */
export interface SumCodes {
  readonly format: number
  readonly decimals: number
  readonly sign: number
}

export const orderSumCodes: SumCodes = { format: 6021, decimals: 6058, sign: 6068 }

/** The same code for all of them, where the service has only one. */
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
    message: `must be a plain decimal number like 12.50, without exponent or separators${mendedComma(value)}`,
    code: codes.format,
  }
}

/** A sum; `zero` lets 0 pass, where another rule decides about it. */
export function sum(codes: SumCodes, zero: 'zero too' | 'greater than 0' = 'greater than 0') {
  return text.superRefine((value, context) => {
    const complaint = complaintAbout(value, codes, zero === 'zero too')
    if (complaint) context.addIssue({ code: 'custom', message: complaint.message, params: { code: complaint.code } })
  })
}

/** Minor units of what a request holds; null where it is no sum, which the field's own rule complains about. */
export function unitsOf(value: unknown): bigint | null {
  return typeof value === 'string' ? minorUnits(value) : null
}
