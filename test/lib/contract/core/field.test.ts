import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import { type Field, fieldsOf, readPayload, writePayload } from '../../../../src/lib/contract/core/field.ts'
import { operations } from '../../../../src/lib/contract/operations.ts'
import { orderExamples } from '../../../../src/lib/contract/order/examples.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { readJson, writeJson } from '../../../../src/lib/json.ts'
import { complaints, order, receiverId } from '../../../kit/contract.ts'

/** Decimal text in the one form that a number has once it was read by value. */
const decimalText = fc
  .tuple(fc.bigInt(0n, 10n ** 30n), fc.nat(99))
  .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`.replace(/\.?0+$/, ''))
  .map((text) => (text === '' ? '0' : text))

function anyValue(field: Field): fc.Arbitrary<unknown> {
  if (field.json === 'number') return decimalText
  if (field.json === 'boolean') return fc.constantFrom('true', 'false')
  if (!field.members) return fc.string({ unit: 'binary' })
  const members = requestOf(fieldsOf(field.members))
  if (field.json === 'list') return fc.array(members, { maxLength: 4 })
  return field.json === 'map' ? fc.dictionary(fc.string(), members, { maxKeys: 4 }) : members
}

function requestOf(fields: readonly Field[]): fc.Arbitrary<Record<string, unknown>> {
  const model = Object.fromEntries(fields.map((field) => [field.name, anyValue(field)]))
  return fc.record(model, { requiredKeys: [], noNullPrototype: true })
}

test.each(operations.map((operation) => [operation.name, operation]))(
  'whatever the fields of %s hold is read back from its JSON as it was',
  (_name, { request }) => {
    fc.assert(
      fc.property(requestOf(fieldsOf(request)), (values) => {
        const text = writeJson(writePayload(request, values))
        expect(readPayload(request, readJson(text) as Record<string, unknown>)).toEqual(values)
      }),
    )
  },
)

/** Decimals that a number has by value only are gone after the wire. */
function byValue(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value).replace(/"(\d+\.\d*?)0+"/g, (_all, text: string) => `"${text.replace(/\.$/, '')}"`),
  )
}

test.each(orderExamples)('the smallest order "$title" is read back as it was', ({ request, orderType }) => {
  const json = writeJson(writePayload(createOrder.request, { ...order, ...request }))
  const read = readPayload(createOrder.request, readJson(json) as Record<string, unknown>)
  expect(read).toEqual(byValue({ ...order, ...request }))
  expect(complaints(createOrder, read, { orderType })).toEqual([])
})

test('written exactly: amounts digit for digit, switches as booleans, members inside too, what is absent not at all', () => {
  const request = {
    amount: '12.50',
    receiverId,
    currency: undefined,
    saveCard: 'true',
    isForeign: 'false',
    subscriptionPlan: { interval: 'WEEKLY', intervalCount: '2', amount: '1.10', startDate: undefined },
    splitDetails: [{ receiverType: 'IBAN', receiverIdentifier: 'GE', amount: '0.10' }],
    orderProperties: { IS_FOREIGN: { value: 'true', isEditable: 'true' } },
  }
  expect(writeJson(writePayload(createOrder.request, request))).toBe(
    `{"amount":12.50,"receiverId":"${receiverId}","saveCard":true,"isForeign":false,` +
      '"subscriptionPlan":{"interval":"WEEKLY","intervalCount":2,"amount":1.10},' +
      '"splitDetails":[{"receiverType":"IBAN","receiverIdentifier":"GE","amount":0.10}],' +
      '"orderProperties":{"IS_FOREIGN":{"value":"true","isEditable":true}}}',
  )
})

describe('read leniently', () => {
  const read = (json: string) => readPayload(createOrder.request, readJson(json) as Record<string, unknown>)

  test('null is absent, numbers count by value, numbers and switches may be text', () => {
    expect(read('{"amount":1.250e1,"currency":null,"saveCard":"True","isForeign":0,"payWithPreAuth":1}')).toEqual({
      amount: '12.5',
      saveCard: 'true',
      isForeign: 'false',
      payWithPreAuth: 'true',
    })
    expect(read('{"amount":"12.50","saveCard":true}')).toEqual({ amount: '12.50', saveCard: 'true' })
  })

  test('inside plans, splits and properties too', () => {
    expect(
      read(
        '{"subscriptionPlan":{"intervalCount":2.0,"startDate":null},"splitDetails":[{"amount":1.50}],' +
          '"orderProperties":{"PURPOSE":{"value":"x","isEditable":"1"}}}',
      ),
    ).toEqual({
      subscriptionPlan: { intervalCount: '2' },
      splitDetails: [{ amount: '1.5' }],
      orderProperties: { PURPOSE: { value: 'x', isEditable: 'true' } },
    })
  })

  test('a value of another kind stays as it is, for the rules to name', () => {
    const odd = { amount: true, saveCard: 'maybe', splitDetails: 'all', orderProperties: ['x'], subscriptionPlan: 'p' }
    expect(readPayload(createOrder.request, odd)).toEqual(odd)
    expect(readPayload(createOrder.request, { receiverId: new JsonNumber('5') })).toEqual({
      receiverId: new JsonNumber('5'),
    })
    expect(read('{"orderProperties":{"PURPOSE":"x"},"unknown":1}')).toEqual({
      orderProperties: { PURPOSE: 'x' },
      unknown: new JsonNumber('1'),
    })
    expect(writePayload(createOrder.request, { ...order, surprise: ['x'] }).surprise).toEqual(['x'])
  })
})
