import { expect, test } from 'vitest'
import { payoutCodes } from '../../../../src/lib/contract/codes/payout.ts'
import { hintInWords } from '../../../../src/lib/hint.ts'

/** The codes of area A (service.md#payout-codes), written down once more, with the groups that were seen. */
const observed: readonly (readonly [code: number, name: string, group: number | null])[] = [
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

const all = [...payoutCodes.values()]

test('the table holds every code that was observed and no other', () => {
  expect(all.map(({ code, name, group }) => [code, name, group])).toEqual(observed)
  for (const [key, { code }] of payoutCodes) expect(key).toBe(code)
})

test('a refusal of a repeat speaks for earlier attempts only where the code depends on the body alone', () => {
  expect(all.filter(({ bodyOnly }) => bodyOnly).map(({ code }) => code)).toEqual([5023, 5042])
})

test('the two codes that are no refusal leave the outcome unknown', () => {
  expect(all.filter(({ ran }) => ran === 'unknown').map(({ code }) => code)).toEqual([5006, 5040])
  for (const { ran, exit } of all) expect(exit === 'unknown').toBe(ran === 'unknown')
})

test('bad credentials end with 4, a uniqueId that exists with 7, every other refusal with 5', () => {
  const ending = (exit: string) => all.filter((each) => each.exit === exit).map(({ code }) => code)
  expect(ending('credentials')).toEqual([5003, 5013, 5021])
  expect(ending('duplicate')).toEqual([5017])
  expect(ending('refused')).toEqual([
    5015, 5023, 5033, 5038, 5039, 5041, 5042, 5043, 5045, 5046, 5047, 5048, 5050, 5051,
  ])
})

test('every code says what it means and what to do next', () => {
  for (const { means, next } of all) {
    expect(means).toMatch(/^[a-z].*[^.]$/)
    expect(hintInWords(next)).toMatch(/^[A-Z].*\.$/)
  }
})
