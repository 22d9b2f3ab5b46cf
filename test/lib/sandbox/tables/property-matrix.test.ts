// Each cell of the specification's matrix of order properties: 13 keys, 3 order types, given, missing, empty, bad. The
// matrix is written down here again, as the specification has it, and not taken from the contract.

import { describe, expect, test } from 'vitest'
import { createOrder as creation } from '../../../../src/lib/contract/order/order.ts'
import type { Fields, Heard, Integrator } from '../../../kit/sandbox/integrator.ts'
import { expectRefused, expectSealed, servedTable, without } from '../../../kit/sandbox/stand.ts'

type OrderType = 'DEFAULT' | 'TREASURY' | 'TRAFFIC_FINE'

/** M: mandatory. O: optional. -: not used. ?: its fields of use are not shown, it passes everywhere. */
type Need = 'M' | 'O' | '-' | '?'

const types = ['DEFAULT', 'TREASURY', 'TRAFFIC_FINE'] as const

const matrix: readonly (readonly [string, Need, Need, Need])[] = [
  ['PERSONAL_NUMBER', '-', 'M', '-'],
  ['PAYER_NAME', '-', 'M', '-'],
  ['PURPOSE', '-', 'M', '-'],
  ['IS_FOREIGN', '-', 'M', '-'],
  ['SERVICE_PROVIDER_CODE', '-', '-', 'M'],
  ['SERVICE_CODE', '-', '-', 'M'],
  ['ENTITY_IDENTIFIER', '-', '-', 'M'],
  ['CAR_IDENTIFIER', '-', '-', 'M'],
  ['INVOICE_NUMBER_LABEL', 'O', '-', '-'],
  ['DESCRIPTION', 'O', '-', '-'],
  ['INTEGRATOR_PRODUCT_NAME', 'O', '-', '-'],
  ['PERSONAL_NUMBER_OR_PASSPORT', '?', '?', '?'],
  ['ABONENT_CODE', '?', '?', '?'],
]

const valid: Readonly<Record<string, string>> = {
  PERSONAL_NUMBER: '01001000001',
  PAYER_NAME: 'ნინო ბერიძე',
  PURPOSE: 'State fee',
  IS_FOREIGN: 'false',
  SERVICE_PROVIDER_CODE: 'PATROL',
  SERVICE_CODE: 'FINE',
  ENTITY_IDENTIFIER: 'AB123456',
  CAR_IDENTIFIER: 'AA001BB',
  INVOICE_NUMBER_LABEL: 'INV-2026-1',
  DESCRIPTION: 'Two tickets',
  INTEGRATOR_PRODUCT_NAME: 'Tickets',
  PERSONAL_NUMBER_OR_PASSPORT: '12AB34567',
  ABONENT_CODE: '000123',
}

/** Keys whose content has a rule, with contents that break it. */
const bad: Readonly<Record<string, readonly string[]>> = {
  PERSONAL_NUMBER: ['123456', '0100100000a', '010-010-000'],
  IS_FOREIGN: ['yes', '1', 'TRUE!'],
}

const missingKey = 6078
const badValue = 6077
const unusedKey = 6079
const emptyMap = 6076

const here = await servedTable()
const integrators: Readonly<Record<OrderType, Integrator>> = {
  DEFAULT: await here.integrator('sandbox'),
  TREASURY: await here.integrator('sandbox-treasury'),
  TRAFFIC_FINE: await here.integrator('sandbox-traffic-fine'),
}

interface Cell {
  readonly key: string
  readonly type: OrderType
  readonly need: Need
}

const cells: readonly Cell[] = matrix.flatMap(([key, ...needs]) =>
  types.map((type, at) => ({ key, type, need: needs[at] ?? '-' })),
)

const create = (type: OrderType, orderProperties: unknown): Promise<Heard> =>
  integrators[type].create({ orderProperties })

/** The smallest map of a type that is no empty one, without a key; `of` what the map is filled with. */
function around(type: OrderType, key: string, of: (key: string) => unknown = (name) => ({ value: valid[name] })) {
  const mandatory = cells.filter((cell) => cell.type === type && cell.need === 'M').map((cell) => cell.key)
  const names = mandatory.length > 0 ? mandatory : [key === 'DESCRIPTION' ? 'INVOICE_NUMBER_LABEL' : 'DESCRIPTION']
  return without(Object.fromEntries(names.map((name) => [name, of(name)])), key)
}

function expectAccepted(heard: Heard): void {
  expectSealed(heard)
  expect(Object.keys(heard.value).toSorted()).toEqual(['integratorOrderId', 'urlForQR'])
}

test('the matrix of the specification has thirteen keys and three types', () => {
  expect([new Set(matrix.map(([key]) => key)).size, cells.length]).toEqual([13, 39])
  expect(Object.keys(valid).toSorted()).toEqual(matrix.map(([key]) => key).toSorted())
})

test.each(cells)('given with content that can be right: $key for $type is $need', async ({ key, type, need }) => {
  const heard = await create(type, { ...around(type, key), [key]: { value: valid[key] } })
  if (need === '-') expectRefused(heard, unusedKey, 1)
  else expectAccepted(heard)
})

test.each(cells)('missing: $key for $type is $need', async ({ key, type, need }) => {
  const heard = await create(type, around(type, key))
  if (need === 'M') expectRefused(heard, missingKey, 1)
  else expectAccepted(heard)
})

describe('given with nothing in it', () => {
  // A key that is not used and empty besides breaks two rules: which is told is not known.
  const codes = (need: Need) => (need === '-' ? [unusedKey, badValue] : badValue)

  test.each(cells)('$key for $type is $need', async ({ key, type, need }) => {
    for (const value of ['', '   ']) {
      expectRefused(await create(type, { ...around(type, key), [key]: { value } }), codes(need), 1)
    }
  })

  test.each(cells)('$key for $type without value, or with one that is no text', async ({ key, type, need }) => {
    const told = need === '-' ? [unusedKey, badValue, missingKey] : [badValue, missingKey]
    for (const property of [{}, { value: null }, { value: 1 }, { value: true }, { value: {} }, 'text', null]) {
      expectRefused(await create(type, { ...around(type, key), [key]: property }), told, 1)
    }
  })
})

describe('given with content that breaks its rule', () => {
  const broken = cells
    .filter(({ key }) => key in bad)
    .flatMap((cell) => (bad[cell.key] ?? []).map((value) => ({ ...cell, value })))

  test.each(broken)('$key for $type is $need: $value', async ({ key, type, need, value }) => {
    const heard = await create(type, { ...around(type, key), [key]: { value } })
    expectRefused(heard, need === '-' ? [unusedKey, badValue] : badValue, 1)
  })
})

describe('several breaches at once', () => {
  test.each([
    ['TREASURY', ['PERSONAL_NUMBER', 'PAYER_NAME', 'PURPOSE', 'IS_FOREIGN']],
    ['TRAFFIC_FINE', ['SERVICE_PROVIDER_CODE', 'SERVICE_CODE', 'ENTITY_IDENTIFIER', 'CAR_IDENTIFIER']],
  ] as const)('the message of %s names every key that is missing', async (type, keys) => {
    const heard = await create(type, { ABONENT_CODE: { value: '1' } })
    expectRefused(heard, missingKey, 1)
    for (const key of keys) expect(heard.value.message).toContain(key)
  })

  test('all keys of all types at once are refused for each type', async () => {
    const all = Object.fromEntries(Object.entries(valid).map(([key, value]) => [key, { value }]))
    for (const type of types) expectRefused(await create(type, all), unusedKey, 1)
  })
})

describe('isEditable', () => {
  const mandatory = cells.filter(({ need }) => need === 'M' || need === 'O')

  test.each(mandatory)('may be true, false or absent: $key for $type', async ({ key, type }) => {
    for (const more of [{ isEditable: true }, { isEditable: false }, {}, { isEditable: null }]) {
      expectAccepted(await create(type, { ...around(type, key), [key]: { value: valid[key], ...more } }))
    }
  })

  test.each(types)('is read as text as well: %s', async (type) => {
    for (const isEditable of ['true', 'false', 'True', 'FALSE']) {
      expectAccepted(
        await create(
          type,
          around(type, '', (key) => ({ value: valid[key], isEditable })),
        ),
      )
    }
  })

  test.each(types)('is refused where it is no switch: %s', async (type) => {
    for (const isEditable of ['maybe', '', 2, {}, []]) {
      const properties = around(type, '', (key) => ({ value: valid[key], isEditable }))
      expectRefused(await create(type, properties), badValue, 1)
    }
  })

  test.each(types)('does not excuse a value that is empty, nor a key that is missing: %s', async (type) => {
    const empty = around(type, '', () => ({ value: '', isEditable: true }))
    expectRefused(await create(type, empty), badValue, 1)
    const [first = '', ...more] = Object.keys(around(type, ''))
    const rest = around(type, first, (key) => ({ value: valid[key], isEditable: true }))
    if (more.length > 0) expectRefused(await create(type, rest), missingKey, 1)
  })
})

test.each(types)('unknown keys: %s', async (type) => {
  for (const key of ['PAYER', 'purpose', 'Description', 'AMOUNT', ' PURPOSE', 'toString', '__proto__', '']) {
    const properties = `{"${key}":{"value":"x"},${JSON.stringify(around(type, '')).slice(1)}`
    const order = JSON.stringify(integrators[type].order({ orderProperties: 0 }))
    const text = order.replace('"orderProperties":0', `"orderProperties":${properties}`)
    const heard = await integrators[type].send(creation, text)
    expectRefused(heard, unusedKey, 1)
  }
})

describe('maps that hold nothing, and none at all', () => {
  test.each(types)('an empty map is refused: %s', async (type) => {
    expectRefused(await create(type, {}), emptyMap, 1)
  })

  test.each([
    ['DEFAULT', null],
    ['TREASURY', missingKey],
    ['TRAFFIC_FINE', missingKey],
  ] as const)('no map at all: %s', async (type, code) => {
    const heard = await create(type, undefined)
    if (code === null) expectAccepted(heard)
    else expectRefused(heard, code, 1)
  })

  test.each(types)('null is refused like an empty map: %s', async (type) => {
    expectRefused(await create(type, null), emptyMap, 1)
  })

  test.each(types)('properties that are no map are refused: %s', async (type) => {
    for (const given of [[], [{ value: 'x' }], 'PURPOSE', 1, true]) {
      expectRefused(await create(type, given), [badValue, emptyMap, missingKey, unusedKey], 1)
    }
  })
})

describe('the owner of the personal number', () => {
  const numbers: readonly (readonly [string, string, boolean])[] = [
    ['8 digits', '12345678', false],
    ['9 digits', '123456789', true],
    ['10 digits', '1234567890', false],
    ['11 digits', '12345678901', true],
    ['12 digits', '123456789012', false],
    ['11 digits beginning with 0', '01001000001', true],
    ['a passport', '12AB34567', false],
    ['a passport of 11 characters', 'AB123456789', false],
    ['digits of another script', '١٢٣٤٥٦٧٨٩', false],
    ['digits and a line end', '123456789\n', false],
  ]

  const treasury = (number: string, isForeign: string): Fields => ({
    ...around('TREASURY', ''),
    PERSONAL_NUMBER: { value: number },
    IS_FOREIGN: { value: isForeign },
  })

  test.each(numbers)('of a citizen: %s', async (_what, number, isRight) => {
    const heard = await create('TREASURY', treasury(number, 'false'))
    if (isRight) expectAccepted(heard)
    else expectRefused(heard, badValue, 1)
  })

  test.each(numbers)('of a foreigner: %s', async (_what, number) => {
    expectAccepted(await create('TREASURY', treasury(number, 'true')))
  })

  test('of a payer who says neither: 11 digits do not make up for it', async () => {
    for (const isForeign of ['', 'no', '0']) {
      expectRefused(await create('TREASURY', treasury('01001000001', isForeign)), badValue, 1)
    }
  })

  test.each([true, false])('IS_FOREIGN is text and no JSON boolean: %s', async (value) => {
    const properties = { ...around('TREASURY', ''), IS_FOREIGN: { value } }
    expectRefused(await create('TREASURY', properties), badValue, 1)
  })
})

test('a refused map creates no order', async () => {
  const count = async () => (await here.sandbox.ledger()).orders.length
  const before = await count()
  for (const type of types) expectRefused(await create(type, { PURPOSE_: { value: 'x' } }), [6078, 6079], 1)
  expect(await count()).toBe(before)
})
