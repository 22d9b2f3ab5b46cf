import { expect, test } from 'vitest'
import { refundOrder } from '../../../../src/lib/contract/order/refund.ts'
import { complaints, iban, identity, orderId, otherId } from '../../../kit/contract.ts'

const refund = { integratorId: identity, integratorOrderId: orderId, amount: '12.50' }
const user = { receiverType: 'USER', receiverIdentifier: otherId, amount: '10.00' }
const account = { receiverType: 'IBAN', receiverIdentifier: iban, amount: '2.50' }

function wrongWith(changed: Record<string, unknown>): string[] {
  return complaints(refundOrder, { ...refund, ...changed })
}

const parts = 'refundDetails must add up to the amount of the refund [6096]'

test.each<readonly [changed: Record<string, unknown>, complaints: readonly string[]]>([
  [{}, []],
  [{ refundInitiator: 'OPERATOR', refundDetails: [user, account] }, []],
  [{ refundDetails: [] }, ['refundDetails must not be empty [6096]']],
  [
    { refundDetails: [{ ...user, receiverType: 'X' }, account] },
    ['refundDetails entry 1: receiverType must be one of BRANCH, USER, IBAN [6098]'],
  ],
  [
    { refundDetails: [{ ...user, receiverIdentifier: 'x' }, account] },
    ['refundDetails entry 1: receiverIdentifier must be a UUID for a USER [6099]'],
  ],
  [{ amount: '20', refundDetails: [user, user] }, ['refundDetails names the same receiver more than once [6097]']],
  [{ refundDetails: [user] }, [parts]],
  [{ amount: '9.99', refundDetails: [user] }, [parts]],
  [{ amount: '10', refundDetails: [user] }, []],
])('a refund with %j: %j', (changed, said) => {
  expect(wrongWith(changed)).toEqual(said)
})

test('an empty refund, and sums and details that are none, are refused', () => {
  const required = ['integratorId', 'integratorOrderId', 'amount'].map((name) => `${name} is required [6095]`)
  expect(complaints(refundOrder, {})).toEqual(required)
  for (const amount of ['0', '-1', '1.234', 'x', '']) expect(wrongWith({ amount })[0]).toMatch(/^amount .*\[6095\]$/)
  for (const refundDetails of [['all'], 'all']) expect(wrongWith({ refundDetails })[0]).toMatch(/\[6096\]$/)
  for (const amount of ['0', '1.234', 'x', undefined]) {
    expect(wrongWith({ refundDetails: [{ ...user, amount }, account] })[0]).toMatch(/entry 1: amount .*\[6096\]$/)
  }
})

test('the answer names the order and how far it is', () => {
  const answer = { integratorOrderId: orderId, status: 'REFUND_REQUESTED ' }
  expect(refundOrder.answer.parse(answer).status).toBe('REFUND_REQUESTED')
  expect(refundOrder.answer.safeParse({ integratorOrderId: orderId }).success).toBe(false)
})
