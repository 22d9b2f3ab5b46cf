import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayAtService, momentOfValidUntil, tidyValidUntil, validUntilOf } from '../../../../src/lib/contract/date.ts'
import { around, assertOfBoth } from '../../../kit/run/property.ts'

const noon = Date.UTC(2030, 0, 15, 8)

test('the documented form is Tbilisi time', () => {
  expect(momentOfValidUntil('2030-01-15 12:00:00')).toBe(noon)
  expect(momentOfValidUntil('2030-01-15 00:00:00')).toBe(Date.UTC(2030, 0, 14, 20))
})

test.each([
  '2030-01-15T08:00:00Z',
  '2030-01-15T08:00Z',
  '2030-01-15t08:00:00z',
  '2030-01-15T08:00:00.999999999Z',
  '2030-01-15T12:00:00+04:00',
  '2030-01-15T12:00:00+0400',
  '2030-01-15T12:00:00+04',
  '2030-01-15T03:30:00-04:30',
])('%s is the same moment in ISO 8601', (text) => {
  expect(momentOfValidUntil(text)).toBe(noon)
  expect(tidyValidUntil(` ${text} `)).toBe('2030-01-15 12:00:00')
})

test.each([
  '2030-01-15T12:00:00',
  '2030-01-15 12:00',
  '2030-01-15',
  '2030-02-30 12:00:00',
  '2029-02-29T12:00:00Z',
  '2030-01-15 24:00:00',
  '2030-01-15 12:60:00',
  '2030-01-15T12:00:60Z',
  '2030-01-15T12:00:00+25:00',
  '2030-01-15T12:00:00+04:60',
  '0000-01-15 12:00:00',
  '2030-01-15  12:00:00',
  '2030-01-15 12:00:00Z',
  '+02030-01-15T12:00:00Z',
  '2030-01-15 12:00:00\n',
  '1894694400',
  '',
])('%j is no moment, and stays as it was typed but for blanks around it', (text) => {
  expect(momentOfValidUntil(text)).toBeNull()
  if (text.trim() === text) expect(tidyValidUntil(text)).toBe(text)
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
      const inFull = `${date}T${local.replace(/\..*/, '')}${zone.charAt(0).replace(/z/i, '+')}${hours}:${minutes}`
      expect(momentOfValidUntil(text)).toBe(Date.parse(inFull))
    },
  )
})

test('the day changes at midnight in Tbilisi', () => {
  expect(dayAtService(Date.UTC(2030, 0, 15, 19, 59, 59, 999))).toBe('2030-01-15')
  expect(dayAtService(Date.UTC(2030, 0, 15, 20))).toBe('2030-01-16')
})
