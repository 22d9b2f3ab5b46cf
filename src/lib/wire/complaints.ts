/** Members of a body that speak of an error: a success that has one is no definite answer. */
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'
import { isRecord } from '../json.ts'

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

/** The member in which a success speaks of an error, too; null where none does. */
export function errorIn(value: Members): string | null {
  const told = Object.entries(value).map(([name, member]) => ({ name, kind: name.toLowerCase(), member }))
  const error = told.find(({ kind, member }) => complaining.has(kind) && !isEmpty(member))
  if (error) return error.name
  const denial = told.find(({ kind, member }) => affirming.has(kind) && String(member).toLowerCase() === 'false')
  return denial ? `${denial.name}: false` : null
}

/** Members that speak of an error unless they are empty, and members that say whether it went well; in any capitals. */
const complaining: ReadonlySet<string> = new Set(['error', 'errors', 'exception'])
const affirming: ReadonlySet<string> = new Set(['success', 'ok', 'issuccess', 'successful'])

/** True for a member that says nothing. */
export function isEmpty(member: unknown): boolean {
  if (typeof member === 'object' && member !== null) return Object.keys(member).length === 0
  return member === undefined || member === null || member === false || member === ''
}
