import { describe, expect, test } from 'vitest'
import { type OrderType, orderTypes } from '../../../../src/lib/contract/operation.ts'
import { orderExamples } from '../../../../src/lib/contract/order/examples.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { orderProperties, orderPropertyNames } from '../../../../src/lib/contract/order/property.ts'
import { complaints, order } from '../../../kit/contract.ts'

/** The matrix of the specification, written down once more: DEFAULT, TREASURY, TRAFFIC_FINE, hidden. */
const matrix: Readonly<Record<string, readonly [string, string, string, boolean]>> = {
  PERSONAL_NUMBER: ['-', 'M', '-', false],
  PAYER_NAME: ['-', 'M', '-', false],
  PURPOSE: ['-', 'M', '-', false],
  PERSONAL_NUMBER_OR_PASSPORT: ['?', '?', '?', false],
  IS_FOREIGN: ['-', 'M', '-', false],
  SERVICE_PROVIDER_CODE: ['-', '-', 'M', true],
  SERVICE_CODE: ['-', '-', 'M', true],
  ENTITY_IDENTIFIER: ['-', '-', 'M', false],
  CAR_IDENTIFIER: ['-', '-', 'M', false],
  INVOICE_NUMBER_LABEL: ['O', '-', '-', false],
  DESCRIPTION: ['O', '-', '-', false],
  INTEGRATOR_PRODUCT_NAME: ['O', '-', '-', true],
  ABONENT_CODE: ['?', '?', '?', false],
}

const contents: Readonly<Record<string, string>> = { PERSONAL_NUMBER: '01001000001', IS_FOREIGN: 'false' }

function property(key: string) {
  return { value: contents[key] ?? 'something' }
}

/** Everything an order type demands. */
function demanded(type: OrderType): Record<string, unknown> {
  const keys = orderPropertyNames.filter((key) => orderProperties[key][type] === 'M')
  return Object.fromEntries(keys.map((key) => [key, property(key)]))
}

function wrongWith(given: unknown, orderType: OrderType | null): string[] {
  return complaints(createOrder, { ...order, orderProperties: given }, { orderType })
}

test('the matrix is the one of the specification', () => {
  const facts = orderPropertyNames.map((key) => {
    const { DEFAULT, TREASURY, TRAFFIC_FINE, hidden } = orderProperties[key]
    return [key, [DEFAULT, TREASURY, TRAFFIC_FINE, hidden]]
  })
  expect(Object.fromEntries(facts)).toEqual(matrix)
  expect(orderPropertyNames).toHaveLength(13)
})

test.each(orderPropertyNames)('every cell of the matrix: %s passes where the order type is not known', (key) => {
  expect(wrongWith({ [key]: property(key) }, null)).toEqual([])
})

describe('the map as a whole', () => {
  test('orders that demand properties miss every one of them where none is given', () => {
    const missing = (orderType: OrderType | null) => complaints(createOrder, order, { orderType }).length
    expect([null, ...orderTypes].map(missing)).toEqual([0, 0, 4, 4])
  })

  test.each(['COLOUR', 'personal_number', 'toString', '__proto__', 'value'])('the key %s is no property', (key) => {
    const given = JSON.parse(`{"${key}": {"value": "x"}}`)
    expect(wrongWith(given, null)).toEqual([
      `orderProperties ${key} is no order property; there are ${Object.keys(matrix).join(', ')} [6079]`,
    ])
  })

  test('properties that are no map are refused', () => {
    expect(wrongWith('PURPOSE=tea', null)).toEqual(['orderProperties must be a map from keys to { value } [6077]'])
    expect(wrongWith({ PURPOSE: 'tea' }, null)[0]).toMatch(/^orderProperties PURPOSE .*\[6077\]$/)
  })
})

const digits = 'PERSONAL_NUMBER must be 9 or 11 digits, unless IS_FOREIGN is true'

/** Of a TREASURY order, the contents of some properties. */
test.each<[Record<string, string>, string | null]>([
  [{ IS_FOREIGN: '' }, 'IS_FOREIGN value must not be empty'],
  [{ IS_FOREIGN: 'no' }, 'IS_FOREIGN must be the text true or false'],
  [{ PERSONAL_NUMBER: '' }, 'PERSONAL_NUMBER value must not be empty'],
  [{ PERSONAL_NUMBER: '404123456' }, null],
  [{ PERSONAL_NUMBER: 'AB123' }, digits],
  [{ PERSONAL_NUMBER: 'AB123', IS_FOREIGN: 'true' }, null],
])('properties %j: %s', (changed, said) => {
  const given = Object.fromEntries(Object.entries(changed).map(([key, value]) => [key, { value }]))
  const all = said === null ? [] : [`orderProperties ${said} [6077]`]
  expect(wrongWith({ ...demanded('TREASURY'), ...given }, 'TREASURY')).toEqual(all)
})

test.each<[object, string | null]>([
  [{}, 'value is required'],
  [{ value: ' ' }, 'value must not be empty'],
  [{ value: 'x', isEditable: 'false' }, null],
  [{ value: 'x', isEditable: 'maybe' }, 'isEditable must be true or false'],
  [{ value: 'x', label: 'y' }, 'label is not a field of it'],
])('a property %j: %s', (property, said) => {
  const all = said === null ? [] : [`orderProperties DESCRIPTION ${said} [6077]`]
  expect(wrongWith({ DESCRIPTION: property }, null)).toEqual(all)
})

test('keys whose use is not shown pass with a remark, others without', () => {
  expect(createOrder.remarks({ ...order, orderProperties: { ABONENT_CODE: property('ABONENT_CODE') } })).toEqual([
    'orderProperties ABONENT_CODE: the specification does not show which orders use it; it is sent as it is',
  ])
  for (const { request } of orderExamples) expect(createOrder.remarks({ ...order, ...request })).toEqual([])
})
