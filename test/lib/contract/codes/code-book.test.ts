import { describe, expect, test } from 'vitest'
import { codesOf, ranNothing } from '../../../../src/lib/contract/codes/code-book.ts'
import { orderCodes } from '../../../../src/lib/contract/codes/order.ts'
import { payoutCodes } from '../../../../src/lib/contract/codes/payout.ts'
import type { Area } from '../../../../src/lib/contract/operation.ts'

const unknown = { ran: 'unknown', bodyOnly: false }
const refused = { ran: 'no', bodyOnly: false }

test('payouts have their codes, the other areas share theirs', () => {
  expect(codesOf('A')).toBe(payoutCodes)
  for (const area of ['B', 'C', 'D'] as const) expect(codesOf(area)).toBe(orderCodes)
})

test('a known code of payouts speaks for itself, whatever group comes with it', () => {
  for (const group of [null, 1, 4, 6, 7]) {
    expect(ranNothing('A', 5023, group)).toEqual({ ran: 'no', bodyOnly: true })
    expect(ranNothing('A', 5038, group)).toEqual(refused)
    expect(ranNothing('A', 5040, group)).toEqual(unknown)
  }
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

  test('a code of another area is unknown', () => {
    expect(ranNothing('A', 6058, 1)).toEqual(unknown)
    expect(ranNothing('B', 5023, null)).toEqual(unknown)
  })

  test('a group without a code proves nothing', () => {
    expect(ranNothing('B', null, 1)).toEqual(unknown)
    expect(ranNothing('A', null, null)).toEqual(unknown)
  })
})
