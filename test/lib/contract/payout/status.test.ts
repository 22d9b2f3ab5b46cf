import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payoutEnd, payoutStatuses } from '../../../../src/lib/contract/payout/status.ts'

const ends = {
  INITIAL: null,
  PENDING: null,
  SUCCESS: 'paid',
  REJECTED: 'not-paid',
  FAILED: 'not-paid',
  DELETED: 'not-paid',
  INITIAL_INSUFFICIENT_BALANCE: null,
}

test('the statuses are those that were observed, and only four of them are final', () => {
  expect(Object.keys(payoutStatuses)).toEqual(Object.keys(ends))
  expect(Object.fromEntries(Object.keys(ends).map((status) => [status, payoutEnd(status)]))).toEqual(ends)
})

test.each([
  ...['toString', '__proto__', 'constructor', 'hasOwnProperty', 'success', 'SUCCESS ', 'SUCCEEDED', 'CANCELED'],
  ...[''],
])('the unknown status %j is never final', (status) => {
  expect(payoutEnd(status)).toBeNull()
})

test('no text outside the list is ever final', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (status) => {
      if (!(Object.keys(ends) as string[]).includes(status)) expect(payoutEnd(status)).toBeNull()
    }),
  )
})
