/** Members of a body that speak of an error: a success that has one is no definite answer. */
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'
import { isRecord } from '../json.ts'
import {
  codesOfErrors,
  groupOfErrors,
  ofAnError,
  reasonsOfFailing,
  saysItWentWell,
  saysItWentWrong,
} from './error-members.ts'
import { memberKind } from './member-kind.ts'

export function wholeNumber(value: unknown): number | null {
  return value instanceof JsonNumber && /^\d{1,9}$/.test(value.text) ? Number(value.text) : null
}

/** The same, and a number that stands as text. */
export function numberTold(value: unknown): number | null {
  return typeof value === 'string' && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : wholeNumber(value)
}

/** Codes that say nothing but that it went well, as some servers add to every answer: none, 0, and those of HTTP. */
export function isHarmless(value: unknown): boolean {
  if (value === undefined || value === null) return true
  const code = wholeNumber(value)
  return code === 0 || (code !== null && code >= 200 && code < 300)
}

/** The object with a code that is not one of success: the value itself, or the object in its `value`. */
export function codeCarrier(value: unknown): Members | null {
  if (!isRecord(value)) return null
  if (!isHarmless(value.statusCode)) return value
  return isRecord(value.value) && !isHarmless(value.value.statusCode) ? value.value : null
}

/**
 * The member in which a success speaks of an error, too; null where none does. `hasFailed`: true of a thing whose status says
 * that it ended unpaid, beside which the reason for that contradicts nothing.
 */
export function errorIn(value: Members, hasFailed = false): string | null {
  for (const [name, member] of Object.entries(value)) {
    const kind = memberKind(name)
    const isReason = !hasFailed && reasons.has(kind) && !isEmpty(member)
    if (isReason || holdsError(kind, member)) return name
    if (isDenial(kind, member)) return `${name}: ${member}`
  }
  return null
}

/** `statusCode` is a code wherever it stands, and read as one. */
const complaining: ReadonlySet<string> = new Set(ofAnError)
const coding: ReadonlySet<string> = new Set(codesOfErrors.map(memberKind).filter((kind) => kind !== 'statuscode'))
const reasons: ReadonlySet<string> = new Set(reasonsOfFailing)
const affirming: ReadonlySet<string> = new Set(saysItWentWell)
const denying: ReadonlySet<string> = new Set(saysItWentWrong)

function holdsError(kind: string, member: unknown): boolean {
  if (isEmpty(member) || numberTold(member) === 0) return false
  if (complaining.has(kind)) return true
  if (kind === groupOfErrors) return true
  return coding.has(kind) && isCodeOfError(member)
}

const wordsOfSuccess = /^(?:ok|success|successful|succeeded|approved|accepted|none|no_?error)$/i
const ofCountryOrCurrency = /^[A-Z]{2,3}$/

/** True for a number or a name of an error: 0, the numbers of success, and short names of something else are none. */
function isCodeOfError(member: unknown): boolean {
  const number = numberTold(member)
  if (number !== null) return number !== 0 && (number < 200 || number >= 300)
  const word = typeof member === 'string' ? member.trim() : ''
  return !wordsOfSuccess.test(word) && !ofCountryOrCurrency.test(word)
}

function isDenial(kind: string, member: unknown): boolean {
  const word = String(member).trim().toLowerCase()
  const isNo = ['false', '0', 'no'].includes(word)
  return affirming.has(kind) ? isNo : denying.has(kind) && !isEmpty(member) && !isNo
}

/** True for a member that says nothing. */
export function isEmpty(member: unknown): boolean {
  if (typeof member === 'object' && member !== null) return Object.keys(member).length === 0
  return member === undefined || member === null || member === false || member === ''
}
