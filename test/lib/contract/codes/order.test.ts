import { expect, test } from 'vitest'
import { orderCodes } from '../../../../src/lib/contract/codes/order.ts'
import { permissions } from '../../../../src/lib/contract/core/permission.ts'
import { hintInWords } from '../../../../src/lib/hint.ts'

/** Every code, by the group it was seen with (service.md#order-codes). */
const observed: Readonly<Record<string, readonly number[]>> = {
  1: [
    6007, 6021, 6026, 6027, 6028, 6029, 6035, 6041, 6049, 6053, 6058, 6059, 6060, 6061, 6062, 6064, 6066, 6068, 6070,
    6076, 6077, 6078, 6079, 6081, 6085, 6091, 6094, 6095, 6096, 6097, 6098, 6099, 6101, 6109, 6110, 6113,
  ],
  2: [6003, 6006, 6015, 6016, 6017, 6023, 6024, 6034, 6130],
  3: [6022, 6025, 6031, 6032, 6033, 6036, 6037, 6038, 6056, 6057, 6090, 6111],
  4: [2137, 2252],
  5: [2158, 6002, 6004, 6005, 6008, 6030, 6044, 6045, 6046, 6075, 6093, 6100, 6112],
  6: [6009, 6010, 6011, 6013, 6014, 6054],
  null: [6012],
}

const all = [...orderCodes.values()]
const codesWhere = (wanted: (code: (typeof all)[number]) => boolean) => all.filter(wanted).map(({ code }) => code)

test.each(Object.entries(observed))(
  'group %s holds the codes that were observed with it, and no other',
  (group, codes) => {
    expect(codesWhere((each) => String(each.group) === group)).toEqual(codes)
  },
)

test('the table is ordered, without a code twice, and each stands under its number', () => {
  expect(all).toHaveLength(Object.values(observed).flat().length)
  expect(all.map(({ code }) => code)).toEqual(all.map(({ code }) => code).toSorted((a, b) => a - b))
  for (const [key, { code }] of orderCodes) expect(key).toBe(code)
})

test('groups 1, 2, 3 and 5, and what did not open, executed nothing; the rest leaves the outcome unknown', () => {
  expect(codesWhere(({ ran }) => ran === 'unknown')).toEqual([2137, 2252, 6009, 6012, 6014, 6054])
  for (const { ran, exit } of all) expect(exit === 'unknown').toBe(ran === 'unknown')
})

test('a refusal of a repeat speaks for earlier attempts only where the code depends on the body alone', () => {
  expect(codesWhere(({ bodyOnly }) => bodyOnly)).toEqual([
    6021, 6024, 6034, 6058, 6059, 6060, 6061, 6062, 6066, 6068, 6097, 6098, 6113,
  ])
  for (const { bodyOnly, ran } of all) if (bodyOnly) expect(ran).toBe('no')
})

test('an unknown object ends with 6, an unknown identity with 4, an id that exists with 7', () => {
  expect(codesWhere(({ exit }) => exit === 'not-found')).toEqual([6005, 6045, 6046, 6075, 6100, 6112])
  expect(codesWhere(({ exit }) => exit === 'credentials')).toEqual([6004, 6008, 6044])
  expect(codesWhere(({ exit }) => exit === 'duplicate')).toEqual([6023])
  const exits = ['not-found', 'credentials', 'duplicate', 'unknown', 'refused']
  expect(all.every(({ exit }) => exits.includes(exit))).toBe(true)
})

test('every code says what it means and what to do next', () => {
  for (const { code, name, means, next } of all) {
    expect(name, String(code)).not.toBe('')
    expect(means, String(code)).toMatch(/^[a-z].*[^.]$/)
    expect(hintInWords(next), String(code)).toMatch(/^[A-Z].*\.$/)
  }
})

test('every permission of orders has its code in group 3', () => {
  const codes = Object.values(permissions).map(({ code }) => code)
  expect(codes.filter((code) => orderCodes.get(code)?.group === 3)).toEqual(codes.filter((code) => code > 6000))
})
