import { describe, expect, test } from 'vitest'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { complaints, identity, order, orderId, receiverId } from '../../../kit/contract.ts'

describe('as a write', () => {
  test('an order moves its amount to its branch in its currency, GEL if it names none', () => {
    const moved = { payee: `BRANCH ${receiverId}`, amount: '12.50', currency: 'GEL', price: null, guarded: false }
    expect(createOrder.moves(order)).toEqual(moved)
    expect(createOrder.moves({ ...order, currency: 'USD' }).currency).toBe('USD')
  })

  test.each([
    [{ interval: 'MONTHLY', intervalCount: '1', amount: '9.9' }, 'GEL 9.90 every month'],
    [{ interval: 'MONTHLY', intervalCount: '2', amount: '15' }, 'GEL 15.00 every 2 months'],
    [{ interval: 'WEEKLY', intervalCount: '1', amount: '3.00' }, 'GEL 3.00 every week'],
  ])('an order with the plan %j is agreed to as "%s"', (subscriptionPlan, price) => {
    expect(createOrder.moves({ ...order, amount: '0', subscriptionPlan })).toMatchObject({ amount: '0', price })
  })
})

describe('status, cancel and complete', () => {
  test.each([orderStatus, cancelOrder])('$name takes the integrator and the order', (operation) => {
    expect(complaints(operation, { integratorId: identity, integratorOrderId: orderId })).toEqual([])
    expect(complaints(operation, { integratorOrderId: 'x' })).toEqual([
      'integratorId is required [6053]',
      'integratorOrderId must be a UUID, version 4 [6053]',
    ])
  })

  test('complete takes an amount greater than 0 besides', () => {
    const request = { integratorId: identity, integratorOrderId: orderId }
    expect(complaints(completeOrder, { ...request, amount: '0.01' })).toEqual([])
    expect(complaints(completeOrder, request)).toEqual(['amount is required [6053]'])
    expect(complaints(completeOrder, { ...request, amount: '0' })).toEqual(['amount must be greater than 0 [6068]'])
    const fine = complaints(completeOrder, { ...request, amount: '0.001' })
    expect(fine).toEqual(['amount has more than 2 decimals [6058]'])
  })
})

describe('answers', () => {
  test('a new order may come without a checkout address', () => {
    expect(createOrder.answer.parse({ integratorOrderId: orderId }).urlForQR).toBeNull()
    expect(createOrder.answer.parse({ integratorOrderId: orderId, urlForQR: null }).urlForQR).toBeNull()
    const whole = { integratorOrderId: orderId, urlForQR: 'u', more: 1 }
    expect(createOrder.answer.parse(whole)).toEqual(whole)
    expect(createOrder.answer.safeParse({ urlForQR: 'u' }).success).toBe(false)
  })

  test('a status loses blanks and its old spelling, a transaction id may be a number or text', () => {
    const answer = { integratorOrderId: orderId, status: ' CANCELLED ' }
    expect(orderStatus.answer.parse(answer).status).toBe('CANCELED')
    expect(cancelOrder.answer.parse(answer).status).toBe('CANCELED')
    expect(orderStatus.answer.parse({ ...answer, transactionId: 'a-1' }).transactionId).toBe('a-1')
    expect(orderStatus.answer.safeParse({ integratorOrderId: orderId }).success).toBe(false)
  })

  test('of the answer to complete id and status are demanded', () => {
    expect(completeOrder.answer.safeParse({}).success).toBe(false)
    expect(completeOrder.answer.safeParse({ integratorOrderId: 'id', status: 'SUCCESS' }).success).toBe(true)
  })
})
