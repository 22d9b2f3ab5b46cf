import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRealDottedDate } from '../../../../src/lib/contract/date.ts'
import { around, assertOfBoth } from '../../../kit/run/property.ts'

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

test.each([
  '29.02.1900',
  '29.02.2023',
  '31.04.2024',
  '00.01.2024',
  '01.00.2024',
  '01.13.2024',
  '01.01.0000',
  '1.1.2024',
  '01.01.24',
  '01/01/2024',
  '2024-01-01',
  '01.01.2024 ',
  '01.01.2024\n',
  ' 01.01.2024',
  '01.01.20240',
  '٠١.٠١.٢٠٢٤',
  '',
])('%j is no date in the form dd.MM.yyyy', (text) => {
  expect(isRealDottedDate(text)).toBe(false)
})

test('29 February is a date in leap years only', () => {
  expect(isRealDottedDate('29.02.2000')).toBe(true)
  expect(isRealDottedDate('29.02.1988')).toBe(true)
  expect(isRealDottedDate('29.02.2100')).toBe(false)
})

/** By the calendar of the platform, which moves what is no date to another day. */
function isInCalendar(text: string): boolean {
  const [day = 0, month = 0, year = 0] = text.split('.').map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return year >= 1 && year <= 9999 && dotted(date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear()) === text
}

test('text of any kind is a date where the calendar says so', () => {
  const parts = fc.tuple(
    fc.integer({ min: 1, max: 31 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 9999 }),
  )
  const dates = parts.map(([day, month, year]) => dotted(day, month, year))
  assertOfBoth(around(dates, '0123456789..-/ ', 12), isRealDottedDate, (text, isDate) => {
    expect(isDate).toBe(isInCalendar(text))
  })
})
