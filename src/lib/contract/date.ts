/**
 * Dates of the specification. `validUntil` is documented as `yyyy-MM-dd HH:mm:ss` in the service's zone
 * (service.md#orders), a sample shows ISO 8601: both are read, the first is written.
 */
import { serviceZoneHours } from './assumed.ts'

/** They stay text: `new Date()` would give them the machine's zone. */
const dashed = /^(\d{4})-(\d{2})-(\d{2})$/
const dotted = /^(\d{2})\.(\d{2})\.(\d{4})$/

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isRealDate(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year)
}

/** dd.MM.yyyy (specification A1, birthDate). */
export function isRealDottedDate(text: string): boolean {
  const parts = dotted.exec(text)
  if (!parts) return false
  const [day, month, year] = parts.slice(1).map(Number) as [number, number, number]
  return isRealDate(year, month, day)
}

/** yyyy-MM-dd (startDate). Two of them compare as texts. */
export function isRealDashedDate(text: string): boolean {
  const parts = dashed.exec(text)
  if (!parts) return false
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number]
  return isRealDate(year, month, day)
}

const documented = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/
const iso = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?(Z|[+-]\d{2}(?::?\d{2})?)$/i
/** Both forms; the calendar and the clock decide the rest. */
export const validUntilForm = {
  type: 'string',
  pattern:
    '^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2}|[Tt][0-9]{2}:[0-9]{2}(:[0-9]{2})?(\\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}(:?[0-9]{2})?))$',
} as const
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/
const zone = /^([+-])(0\d|1[0-8])(?::?([0-5]\d))?$/

const hour = 3_600_000

/** Milliseconds east of UTC; null where the text names no zone. */
function offsetOf(text: string): number | null {
  if (text.toUpperCase() === 'Z') return 0
  const parts = zone.exec(text)
  if (!parts) return null
  const [, sign, hours, minutes = '0'] = parts
  return (sign === '-' ? -1 : 1) * (Number(hours) * hour + Number(minutes) * 60_000)
}

function moment(date: string, time: string, offset: number | null): number | null {
  if (offset === null || !isRealDashedDate(date) || !timeOfDay.test(time)) return null
  return Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}Z`) - offset
}

/** Milliseconds since 1970, whole seconds; null where it is in neither form. */
export function momentOfValidUntil(text: string): number | null {
  const [, date = '', time = ''] = documented.exec(text) ?? []
  if (date) return moment(date, time, serviceZoneHours * hour)
  const [, day = '', clock = '', east = ''] = iso.exec(text) ?? []
  return moment(day, clock, offsetOf(east))
}

export function validUntilOf(milliseconds: number): string {
  const local = new Date(milliseconds + serviceZoneHours * hour).toISOString()
  return `${local.slice(0, 10)} ${local.slice(11, 19)}`
}

/** In the documented form; the text itself where it is no moment. */
export function tidyValidUntil(typed: string): string {
  const text = typed.trim()
  const read = momentOfValidUntil(text)
  const written = read === null ? text : validUntilOf(read)
  return documented.test(written) ? written : text
}

export function dayAtService(milliseconds: number): string {
  return validUntilOf(milliseconds).slice(0, 10)
}
