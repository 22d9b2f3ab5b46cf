import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMinorUnits, JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { journalEntry, readMoment } from '../../../src/lib/journal/entry.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { intent } from '../../kit/intent.ts'

const paid = intent({
  body: '{"amount":"12.50","uniqueId":"u"}',
  amountMinor: '1250',
  currency: 'GEL',
  state: 'accepted',
  transactionId: '9007199254740993',
  createdAt: '2026-11-20T10:00:00.123456789',
  holder: 'host/1/2',
  heldUntil: '2026-11-20T06:02:00.000Z',
  sumConfirmed: true,
})

test('an entry shows the request as an object, the amount as a number, and no bookkeeping of locks', () => {
  const entry = journalEntry(paid)
  expect(entry.request).toEqual({ amount: new JsonNumber('12.50'), uniqueId: 'u' })
  expect(writeJson(entry)).toContain('"amount":12.50,')
  expect(entry.transactionId).toBe('9007199254740993')
  expect(Object.keys(entry)).not.toContain('holder')
  expect(Object.keys(entry)).not.toContain('heldUntil')
  expect(Object.keys(entry)).not.toContain('bodyDigest')
})

test('an amount of any size is shown to the last digit', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 20n), (units) => {
      expect(String(journalEntry({ ...paid, amountMinor: String(units) }).amount)).toBe(fromMinorUnits(units))
    }),
  )
})

test.each([
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T09:30', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20 09:30', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:15', '2026-11-20T09:30:15.000Z'],
  ['2026-11-20T09:30:15.5Z', '2026-11-20T09:30:15.500Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is the moment %s, whatever the zone of this machine', (typed, iso) => {
  expect(readMoment('since', typed)).toBe(iso)
})

test.each([
  '',
  'yesterday',
  '20.11.2026',
  '2026-11-31',
  '2023-02-29',
  '2026-13-01',
  '2026-11-20T25:00',
  '2026-11-20T24:00',
  '2026-11-20T09:60',
  '2026-11-20T09:30+04:00',
  '2026-11-20T',
  ' 2026-11-20',
  '2026-11-20T09',
])('%j is no moment', (typed) => {
  expect(() => readMoment('since', typed)).toThrow(/^--since takes a date like/)
})

test('the moment of an ISO text is that text', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      expect(readMoment('until', date.toISOString())).toBe(date.toISOString())
    }),
  )
})
