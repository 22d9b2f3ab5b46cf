import { describe, expect, test } from 'vitest'
import { codesOf, orderCodes, payoutCodes, ranNothing } from '../../../../src/lib/contract/codes/code-book.ts'
import { permissions } from '../../../../src/lib/contract/core/permission.ts'
import type { Area } from '../../../../src/lib/contract/operation.ts'
import { hintInWords } from '../../../../src/lib/hint.ts'

const unknown = { ran: 'unknown', bodyOnly: false }
const refused = { ran: 'no', bodyOnly: false }

test('payouts have their codes, the other areas share theirs', () => {
  expect(codesOf('A')).toBe(payoutCodes)
  for (const area of ['B', 'C', 'D'] as const) expect(codesOf(area)).toBe(orderCodes)
})

test('a known code of the other areas is no refusal in a group that proves nothing', () => {
  for (const group of [null, 1, 2, 3, 5]) {
    expect(ranNothing('B', 6058, group)).toEqual({ ran: 'no', bodyOnly: true })
    expect(ranNothing('C', 6109, group)).toEqual(refused)
  }
  for (const group of [4, 6, 7]) {
    expect(ranNothing('B', 6058, group)).toEqual(unknown)
    expect(ranNothing('C', 6109, group)).toEqual(unknown)
    for (const code of [6010, 6011, 6013]) expect(ranNothing('B', code, group).ran).toBe('no')
  }
  for (const group of [null, 1, 4, 6, 7]) {
    expect(ranNothing('D', 6054, group)).toEqual(unknown)
    expect(ranNothing('B', 6009, group)).toEqual(unknown)
  }
})

describe('an unknown code', () => {
  test.each(['B', 'C', 'D'] as Area[])('of area %s is a refusal in groups 1, 2, 3 and 5 only', (area) => {
    for (const group of [1, 2, 3, 5]) expect(ranNothing(area, 6999, group)).toEqual(refused)
    for (const group of [4, 6, 7, 0, 8, -1, 1.5, null]) expect(ranNothing(area, 6999, group)).toEqual(unknown)
  })

  test('of area A proves nothing in any group', () => {
    for (const group of [1, 2, 3, 4, 5, 6, 7, null]) expect(ranNothing('A', 5999, group)).toEqual(unknown)
  })

  test('a group without a code proves nothing', () => {
    expect(ranNothing('B', null, 1)).toEqual(unknown)
    expect(ranNothing('A', null, null)).toEqual(unknown)
  })
})

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

test.each(Object.entries(observed))('group %s holds the codes that were observed with it', (group, codes) => {
  expect(codesWhere((each) => String(each.group) === group)).toEqual(codes)
})

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
  for (const { code, name, means, next } of [...all, ...payoutCodes.values()]) {
    expect(name, String(code)).not.toBe('')
    expect(means, String(code)).toMatch(/^[a-z].*[^.]$/)
    expect(hintInWords(next), String(code)).toMatch(/^[A-Z].*\.$/)
  }
})

test('every permission of orders has its code in group 3', () => {
  const codes = Object.values(permissions).map(({ code }) => code)
  expect(codes.filter((code) => orderCodes.get(code)?.group === 3)).toEqual(codes.filter((code) => code > 6000))
})

/** The codes of area A (service.md#payout-codes), written down once more, with the groups that were seen. */
const recorded: readonly (readonly [code: number, name: string, group: number | null])[] = [
  [5003, 'client not found', 5],
  [5006, 'provider transaction not found', null],
  [5013, 'invalid grant type', null],
  [5015, 'balance not found', null],
  [5017, 'uniqueId exists', null],
  [5021, 'incorrect credentials', 3],
  [5023, 'invalid IBAN', 1],
  [5033, 'no distribution strategy', null],
  [5038, 'insufficient balance', 1],
  [5039, 'invalid argument', null],
  [5040, 'general failure', null],
  [5041, 'receiver not found', null],
  [5042, 'argument type mismatch', null],
  [5043, 'message not readable', null],
  [5045, 'below minimum', 1],
  [5046, 'above maximum', 1],
  [5047, 'debtor fields not permitted', null],
  [5048, 'fromIban not permitted', null],
  [5050, 'currency not allowed', null],
  [5051, 'currency not configured', null],
]

const payouts = [...payoutCodes.values()]

test('area A: the table holds every code that was observed and no other', () => {
  expect(payouts.map(({ code, name, group }) => [code, name, group])).toEqual(recorded)
  for (const [key, { code }] of payoutCodes) expect(key).toBe(code)
})

test('area A: a refusal of a repeat speaks for earlier attempts only where the code depends on the body alone', () => {
  expect(payouts.filter(({ bodyOnly }) => bodyOnly).map(({ code }) => code)).toEqual([5023, 5042])
})

test('area A: bad credentials end with 4, a uniqueId that exists with 7, every other refusal with 5', () => {
  const ending = (exit: string) => payouts.filter((each) => each.exit === exit).map(({ code }) => code)
  expect(ending('credentials')).toEqual([5003, 5013, 5021])
  expect(ending('duplicate')).toEqual([5017])
  expect(ending('refused')).toEqual([
    5015, 5023, 5033, 5038, 5039, 5041, 5042, 5043, 5045, 5046, 5047, 5048, 5050, 5051,
  ])
})
