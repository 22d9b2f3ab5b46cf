import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import { orderExamples } from '../../../../src/lib/contract/order/examples.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { providerFields } from '../../../../src/lib/contract/order/request.ts'
import { tidy } from '../../../../src/lib/contract/validate.ts'
import { complaints, identity, orderId } from '../../../kit/contract.ts'

/** Fields that are filled in and made. */
const rest = { receiverType: 'BRANCH', integratorId: identity, integratorOrderId: orderId }

test('there is one for every combination of the specification', () => {
  expect(orderExamples.map(({ name }) => name)).toEqual([
    ...['save-card', 'saved-card', 'subscription', 'split', 'open-banking', 'card', 'crypto', 'installment'],
    ...['expiring', 'treasury', 'traffic-fine'],
  ])
})

describe.each(orderExamples)('$title', ({ request, orderType }) => {
  test('keeps every rule', () => {
    expect(complaints(createOrder, { ...request, ...rest }, { orderType })).toEqual([])
  })

  test('is tidy already, and leaves out what is filled in or made', () => {
    expect(tidy(createOrder, request)).toEqual(request)
    const byProgram = fieldsOf(createOrder.request).filter(({ made, filled }) => made || filled)
    for (const { name } of byProgram) expect(request).not.toHaveProperty(name)
  })

  test('is the smallest: none of its fields can be left out, or it is no longer this kind of order', () => {
    const kind = ['saveCard', 'cardToken', 'splitDetails', 'validUntil', ...providerFields]
    for (const name of Object.keys(request).filter((each) => !kind.includes(each))) {
      expect(complaints(createOrder, { ...request, ...rest, [name]: undefined }, { orderType }), name).not.toEqual([])
    }
  })
})
