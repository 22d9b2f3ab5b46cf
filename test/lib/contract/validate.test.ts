import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { fieldsOf } from '../../../src/lib/contract/core/field.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { createOrder } from '../../../src/lib/contract/order/order.ts'
import { complaints, order } from '../../kit/contract.ts'

test.each(operations.map((operation) => [operation.name, operation] as const))(
  'whatever the fields of %s hold, no complaint is in the words of a library',
  (_, operation) => {
    const names = fieldsOf(operation.request).map(({ name }) => name)
    const value = fc.oneof(
      // Names of members are repeated in complaints: those that look like a library's words would prove nothing.
      fc.jsonValue({ maxDepth: 3 }).filter((json) => !/invalid|expected|undefined|NaN/.test(JSON.stringify(json))),
      fc.integer().map((number) => new JsonNumber(String(number))),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, 'strange'), value), (request) => {
        for (const each of complaints(operation, request))
          expect(each).not.toMatch(/\b(invalid|expected|undefined|NaN)\b/)
      }),
    )
  },
)

test.each([
  ['subscriptionPlan', 3, 'subscriptionPlan must be an object'],
  ['subscriptionPlan', null, 'subscriptionPlan must be an object'],
  ['splitDetails', 'IBAN', 'splitDetails must be a list'],
])('%s of another kind (%j) is told as %j', (name, value, told) => {
  expect(complaints(createOrder, { ...order, [name]: value }).join('\n')).toContain(told)
})
