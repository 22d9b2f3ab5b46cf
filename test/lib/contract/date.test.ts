import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dayAtService,
  isRealDottedDate,
  momentOfValidUntil,
  tidyValidUntil,
  validUntilOf,
} from '../../../src/lib/contract/date.ts'
import { around, assertOfBoth } from '../../kit/run/property.ts'

function dotted(day: number, month: number, year: number): string {
  return `${String(day).padStart(2, '0')}.${String(month).padStart(2, '0')}.${String(year).padStart(4, '0')}`
}

/** Every day one year in seven, leap years among them. */
const step = 7

test('every day of the years 0 to 9999 that the calendar has is a date, and no other', () => {
  const wrong: string[] = []
  let real = 0
  const last = new Date(0)
  for (let year = 0; year <= 9999; year += step) {
    for (let month = 0; month <= 13; month += 1) {
      // The calendar of the platform: day 0 of the next month is the last day of this one.
      last.setUTCFullYear(year, month, 0)
      const days = year >= 1 && month >= 1 && month <= 12 ? last.getUTCDate() : 0
      real += days
      // Inside a month of the calendar each day; outside of it, and around its ends, what must not pass.
      const dates = days > 0 ? [...Array(33).keys()] : [0, 1, 28, 31]
      for (const date of dates) {
        const text = dotted(date, month, year)
        if (isRealDottedDate(text) !== (date >= 1 && date <= days)) wrong.push(text)
      }
    }
  }
  expect(real).toBe(521_566)
  expect(wrong).toEqual([])
})

test('what is no day, or not written as dd.MM.yyyy, is no date', () => {
  const texts = [
    ...['29.02.1900', '29.02.2023', '31.04.2024', '00.01.2024', '01.00.2024', '01.13.2024', '01.01.0000', '1.1.2024'],
    ...['01.01.24', '01/01/2024', '2024-01-01', '01.01.2024 ', '01.01.2024\n', ' 01.01.2024', '01.01.20240'],
    ...['٠١.٠١.٢٠٢٤', ''],
  ]
  for (const text of texts) expect(isRealDottedDate(text), text).toBe(false)
})

/** By the calendar of the platform, which moves what is no date to another day. */
function isInCalendar(text: string): boolean {
  const [day = 0, month = 0, year = 0] = text.split('.').map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return year >= 1 && year <= 9999 && dotted(date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()) === text
}

test('text of any kind is a date where the calendar says so', () => {
  const upTo = (max: number) => fc.integer({ min: 1, max })
  const parts = fc.tuple(upTo(31), upTo(12), upTo(9999))
  const dates = parts.map(([day, month, year]) => dotted(day, month, year))
  assertOfBoth(around(dates, '0123456789..-/ ', 12), isRealDottedDate, (text, isDate) => {
    expect(isDate).toBe(isInCalendar(text))
  })
})

const noon = Date.UTC(2030, 0, 15, 8)

test('the documented form is Tbilisi time', () => {
  expect(momentOfValidUntil('2030-01-15 12:00:00')).toBe(noon)
  expect(momentOfValidUntil('2030-01-15 00:00:00')).toBe(Date.UTC(2030, 0, 14, 20))
})

test.each([
  ...['2030-01-15T08:00:00Z', '2030-01-15T08:00Z', '2030-01-15t08:00:00z', '2030-01-15T08:00:00.999999999Z'],
  ...['2030-01-15T12:00:00+04:00', '2030-01-15T12:00:00+0400', '2030-01-15T12:00:00+04'],
  ...['2030-01-15T03:30:00-04:30'],
])('%s is the same moment in ISO 8601', (text) => {
  expect(momentOfValidUntil(text)).toBe(noon)
  expect(tidyValidUntil(` ${text} `)).toBe('2030-01-15 12:00:00')
})

test('what is no moment stays as it was typed, but for blanks around it', () => {
  const texts = [
    ...['2030-01-15T12:00:00', '2030-01-15 12:00', '2030-01-15', '2030-02-30 12:00:00', '2029-02-29T12:00:00Z'],
    ...['2030-01-15 24:00:00', '2030-01-15 12:60:00', '2030-01-15T12:00:60Z', '2030-01-15T12:00:00+25:00'],
    ...['2030-01-15T12:00:00+04:60', '0000-01-15 12:00:00', '2030-01-15  12:00:00', '2030-01-15 12:00:00Z'],
    ...['+02030-01-15T12:00:00Z', '2030-01-15 12:00:00\n', '1894694400', ''],
  ]
  for (const text of texts) {
    expect(momentOfValidUntil(text), text).toBeNull()
    if (text.trim() === text) expect(tidyValidUntil(text)).toBe(text)
  }
})

test('a moment beyond the documented form is not written', () => {
  expect(tidyValidUntil('9999-12-31T23:00:00Z')).toBe('9999-12-31T23:00:00Z')
})

describe('for any moment', () => {
  const seconds = fc.integer({ min: Date.UTC(1000, 0) / 1000, max: Date.UTC(9999, 0) / 1000 })

  test('a written moment is read as the same, and tidying changes nothing', () => {
    fc.assert(
      fc.property(seconds, (second) => {
        const text = validUntilOf(second * 1000)
        expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
        expect(momentOfValidUntil(text)).toBe(second * 1000)
        expect(tidyValidUntil(text)).toBe(text)
      }),
    )
  })

  test('both forms of it are read alike, in every zone', () => {
    const zones = fc.tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 14 }), fc.constantFrom(0, 30, 45))
    fc.assert(
      fc.property(seconds, zones, (second, [sign, hours, minutes]) => {
        const offset = (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000
        const local = new Date(second * 1000 + offset).toISOString().slice(0, 19)
        const zone = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
        expect(momentOfValidUntil(`${local}${zone}`)).toBe(second * 1000)
        expect(tidyValidUntil(`${local}${zone}`)).toBe(validUntilOf(second * 1000))
      }),
    )
  })
})

test('no text outside the two forms is ever a moment, and one inside is the moment that it names', () => {
  const seconds = fc.integer({ min: Date.UTC(1000, 0) / 1000, max: Date.UTC(9999, 0) / 1000 })
  const documented = seconds.map((second) => validUntilOf(second * 1000))
  const iso = fc
    .tuple(seconds, fc.constantFrom('Z', '+00', '+0000', '-00:00', '.5Z'))
    .map(([second, end]) => new Date(second * 1000).toISOString().slice(0, 19) + end)
  const texts = around(fc.oneof(documented, iso), '0123456789-:T Z+.', 32)
  assertOfBoth(
    texts,
    (text) => momentOfValidUntil(text) !== null,
    (text, isMoment) => {
      if (!isMoment) return
      expect(text).toMatch(/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d|T\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d(:?\d\d)?))$/i)
      const [date, time = ''] = text.split(/[ T]/i)
      const [local = '', zone = '+04:00'] = time.split(/(?=[Z+-])/i)
      const [hours, minutes = '00'] = zone.slice(1).match(/\d\d/g) ?? ['00']
      const fullPathHint = `${date}T${local.replace(/\..*/, '')}${zone.charAt(0).replace(/z/i, '+')}${hours}:${minutes}`
      expect(momentOfValidUntil(text)).toBe(Date.parse(fullPathHint))
    },
  )
})

test('the day changes at midnight in Tbilisi', () => {
  expect(dayAtService(Date.UTC(2030, 0, 15, 19, 59, 59, 999))).toBe('2030-01-15')
  expect(dayAtService(Date.UTC(2030, 0, 15, 20))).toBe('2030-01-16')
})
