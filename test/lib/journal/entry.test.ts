import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMinorUnits, JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { journalEntry } from '../../../src/lib/journal/entry.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { intent } from '../../kit/store.ts'

const paid = intent({
  body: '{"amount":"12.50","uniqueId":"u"}',
  amountMinor: '1250',
  currency: 'GEL',
  state: 'accepted',
  transactionId: '9007199254740993',
  createdAt: '2026-11-20T10:00:00.123456789',
  holder: 'host/1/2',
  leaseUntil: '2026-11-20T06:02:00.000Z',
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
