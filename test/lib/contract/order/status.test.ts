import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOrderStatus } from '../../../../src/lib/contract/answer.ts'
import {
  orderEnd,
  orderStatuses,
  orderStatusFacts,
  subscriptionStatuses,
  subscriptionStatusFacts,
} from '../../../../src/lib/contract/order/status.ts'

const subscriptionEnd = (status: string) => subscriptionStatusFacts(status)?.end ?? null

const ends = {
  ...{ INITIAL: null, PROCESSING: null, WAITING_FOR_CONFIRM: null, TO_BE_SIGNED: null, SUCCESS: 'paid' },
  ...{ FAILED: 'not-paid', CANCELED: 'not-paid', EXPIRED: 'not-paid', REFUND_REQUESTED: 'paid' },
  ...{ PARTIALLY_REFUNDED: 'paid', REFUNDED_BY_INTEGRATOR: 'paid', REFUNDED_BY_SERVICE: 'paid' },
  ...{ REFUNDED_BY_OPERATOR: 'paid', REFUNDED_FAILED: 'paid' },
}

test('an order ends paid or not paid; what was refunded was paid, what waits for confirmation has not ended', () => {
  expect(Object.fromEntries(Object.keys(orderStatuses).map((status) => [status, orderEnd(status)]))).toEqual(ends)
  expect(Object.keys(orderStatuses)).toEqual(Object.keys(ends))
})

test('a payment of a subscription ends likewise', () => {
  const read = Object.keys(subscriptionStatuses).map((status) => [status, subscriptionEnd(status)])
  expect(Object.fromEntries(read)).toEqual({
    ...{ ACQUIRING_IN_PROCESS: null, COMPLETED: 'paid', FAILED: 'not-paid', PARTIALLY_REFUNDED: 'paid' },
    ...{ REFUNDED_BY_INTEGRATOR: 'paid', REFUNDED_BY_SERVICE: 'paid', REFUNDED_BY_OPERATOR: 'paid' },
    REFUNDED_FAILED: 'paid',
  })
  expect(subscriptionEnd('SUCCESS')).toBeNull()
})

describe('readings', () => {
  test('the old spelling and blanks around a status are read', () => {
    expect(readOrderStatus('CANCELLED')).toBe('CANCELED')
    expect(readOrderStatus(' SUCCESS\n')).toBe('SUCCESS')
    expect(orderEnd(' CANCELLED ')).toBe('not-paid')
  })

  test('every REFUNDED_BY_ name is read alike', () => {
    for (const who of ['SERVICE', 'SOMEBODY_ELSE', 'X']) {
      expect(orderEnd(`REFUNDED_BY_${who}`)).toBe('paid')
      expect(subscriptionEnd(`REFUNDED_BY_${who}`)).toBe('paid')
    }
    expect(orderStatusFacts('REFUNDED_BY_SOMEBODY')?.means).toBe('paid, and refunded')
  })

  test.each(['toString', '__proto__', 'success', 'SUCCEEDED', 'REFUNDED', 'REFUNDED_BY_', 'COMPLETED', ''])(
    'the unknown status %j is shown as it is and never final',
    (status) => {
      expect(readOrderStatus(status)).toBe(status)
      expect(orderEnd(status)).toBeNull()
      expect(orderStatusFacts(status)).toBeNull()
    },
  )

  test('no other text is ever final', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const known =
          Object.keys(ends).includes(readOrderStatus(text)) || readOrderStatus(text).startsWith('REFUNDED_BY_')
        if (!known) expect(orderEnd(text)).toBeNull()
      }),
    )
  })
})

test('every status says what it means', () => {
  for (const { means } of [...Object.values(orderStatuses), ...Object.values(subscriptionStatuses)]) {
    expect(means).toMatch(/^[a-z].*[^.]$/)
  }
})
