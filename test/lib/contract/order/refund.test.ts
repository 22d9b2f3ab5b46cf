import { describe, expect, test } from 'vitest'
import { refundOrder } from '../../../../src/lib/contract/order/refund.ts'
import { complaints, iban, identity, orderId, otherId } from '../../../kit/contract.ts'

const refund = { integratorId: identity, integratorOrderId: orderId, amount: '12.50' }
const user = { receiverType: 'USER', receiverIdentifier: otherId, amount: '10.00' }
const account = { receiverType: 'IBAN', receiverIdentifier: iban, amount: '2.50' }

function wrongWith(changed: Record<string, unknown>): string[] {
  return complaints(refundOrder, { ...refund, ...changed })
}

test('a refund with and without its optional fields keeps every rule', () => {
  expect(wrongWith({})).toEqual([])
  expect(wrongWith({ refundInitiator: 'OPERATOR', refundDetails: [user, account] })).toEqual([])
})

test('an empty refund is told every field that is required', () => {
  expect(complaints(refundOrder, {})).toEqual([
    'integratorId is required [6095]',
    'integratorOrderId is required [6095]',
    'amount is required [6095]',
  ])
})

test.each(['0', '-1', '1.234', 'x', ''])('a refund of %j is refused with 6095', (amount) => {
  expect(wrongWith({ amount })[0]).toMatch(/^amount .*\[6095\]$/)
})

describe('details', () => {
  test('an empty list, a list of something else and a sum that is none are refused with 6096', () => {
    expect(wrongWith({ refundDetails: [] })).toEqual(['refundDetails must not be empty [6096]'])
    expect(wrongWith({ refundDetails: ['all'] })[0]).toMatch(/\[6096\]$/)
    expect(wrongWith({ refundDetails: 'all' })[0]).toMatch(/\[6096\]$/)
    for (const amount of ['0', '1.234', 'x', undefined]) {
      expect(wrongWith({ refundDetails: [{ ...user, amount }, account] })[0]).toMatch(/entry 1: amount .*\[6096\]$/)
    }
  })

  test('a kind of recipient that is none is 6098, an identifier that is none 6099', () => {
    expect(wrongWith({ refundDetails: [{ ...user, receiverType: 'X' }, account] })).toEqual([
      'refundDetails entry 1: receiverType must be one of BRANCH, USER, IBAN [6098]',
    ])
    expect(wrongWith({ refundDetails: [{ ...user, receiverIdentifier: 'x' }, account] })).toEqual([
      'refundDetails entry 1: receiverIdentifier must be a UUID for a USER [6099]',
    ])
  })

  test('a recipient twice is 6097', () => {
    expect(wrongWith({ amount: '20', refundDetails: [user, user] })).toEqual([
      'refundDetails names the same receiver more than once [6097]',
    ])
  })

  test('the parts make the whole refund', () => {
    const said = ['refundDetails must add up to the amount of the refund [6096]']
    expect(wrongWith({ refundDetails: [user] })).toEqual(said)
    expect(wrongWith({ amount: '9.99', refundDetails: [user] })).toEqual(said)
    expect(wrongWith({ amount: '10', refundDetails: [user] })).toEqual([])
  })
})

test('the answer names the order and how far it is', () => {
  const answer = { integratorOrderId: orderId, status: 'REFUND_REQUESTED ' }
  expect(refundOrder.answer.parse(answer).status).toBe('REFUND_REQUESTED')
  expect(refundOrder.answer.safeParse({ integratorOrderId: orderId }).success).toBe(false)
})
