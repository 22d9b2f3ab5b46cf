import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMinorUnits } from '../../../../src/lib/contract/core/decimal.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { tidy } from '../../../../src/lib/contract/validate.ts'
import { complaints, iban, order, otherId, receiverId } from '../../../kit/contract.ts'

const main = { receiverType: 'BRANCH', receiverIdentifier: receiverId, amount: '10.00' }
const user = { receiverType: 'USER', receiverIdentifier: otherId, amount: '2.50' }
const account = { receiverType: 'IBAN', receiverIdentifier: iban, amount: '2.50' }

function wrongSplit(splitDetails: unknown, changed: Record<string, unknown> = {}): string[] {
  return complaints(createOrder, { ...order, ...changed, splitDetails })
}

test("a split between the order's own receiver and a user or an account keeps every rule", () => {
  expect(wrongSplit([main, user])).toEqual([])
  expect(wrongSplit([account, main])).toEqual([])
})

describe('the members of a part', () => {
  test('an empty part is told every member that is required', () => {
    expect(wrongSplit([main, {}]).slice(0, 3)).toEqual([
      'splitDetails entry 2: receiverType is required [6098]',
      'splitDetails entry 2: receiverIdentifier is required [6099]',
      'splitDetails entry 2: amount is required [6021]',
    ])
  })

  test('a recipient is a branch, a user or an account', () => {
    expect(wrongSplit([main, { ...user, receiverType: 'SHOP' }])).toEqual([
      'splitDetails entry 2: receiverType must be one of BRANCH, USER, IBAN [6098]',
    ])
  })

  test.each(['BRANCH', 'USER'])('a %s is named by a UUID', (receiverType) => {
    for (const receiverIdentifier of [iban, 'x', '']) {
      expect(wrongSplit([main, { ...user, receiverType, receiverIdentifier }])).toEqual([
        `splitDetails entry 2: receiverIdentifier must be a UUID for a ${receiverType} [6099]`,
      ])
    }
  })

  test('an account is named by a valid Georgian IBAN', () => {
    expect(wrongSplit([main, { ...account, receiverIdentifier: otherId }])).toEqual([
      'splitDetails entry 2: receiverIdentifier must be a Georgian IBAN: GE, 2 digits, 2 capital letters, 16 digits [6099]',
    ])
    expect(wrongSplit([main, { ...account, receiverIdentifier: 'GE29NB0000000101904918' }])).toEqual([
      'splitDetails entry 2: receiverIdentifier has wrong check digits (mod-97): one of its characters is mistyped [6099]',
    ])
  })

  test.each([
    ['0', 'must be greater than 0', 6068],
    ['-2.5', 'must be greater than 0', 6068],
    ['2.505', 'has more than 2 decimals', 6058],
    ['x', 'must be a plain decimal number like 12.50, without exponent or separators', 6021],
  ])('a part of %j is refused: it %s', (amount, message, code) => {
    expect(wrongSplit([main, { ...user, amount }])).toContain(`splitDetails entry 2: amount ${message} [${code}]`)
  })

  test('a split that is no list of parts is refused', () => {
    expect(wrongSplit('all')[0]).toMatch(/^splitDetails .*\[6049\]$/)
    expect(wrongSplit([main, 'rest'])[0]).toMatch(/^splitDetails entry 2: .*\[6049\]$/)
    expect(wrongSplit([main, { ...user, note: 'x' }])).toEqual([
      'splitDetails entry 2: note is not a field of it [6049]',
    ])
  })

  test('identifiers are tidied as what they are', () => {
    const typed = [
      { ...account, receiverIdentifier: ' ge29 nb00 0000 0101 9049 17' },
      { ...user, receiverIdentifier: ` ${otherId.toUpperCase()}` },
    ]
    expect(tidy(createOrder, { splitDetails: typed })).toEqual({ splitDetails: [account, user] })
  })
})

describe('rules that the codes prove', () => {
  test('an empty split is refused with 6064', () => {
    expect(wrongSplit([])).toEqual(['splitDetails must not be empty: omit it where nothing is split [6064]'])
  })

  test('one recipient is too few: 6062', () => {
    expect(wrongSplit([{ ...main, amount: '12.50' }])).toEqual(['splitDetails needs at least 2 recipients [6062]'])
  })

  test("without the order's own receiver it is 6060, with it twice 6061", () => {
    expect(wrongSplit([account, { ...user, amount: '10' }])).toEqual([
      "splitDetails must name the order's own receiver (BRANCH, its receiverId) too [6060]",
    ])
    expect(wrongSplit([main, { ...main, amount: '2.50' }])).toEqual([
      "splitDetails names the order's own receiver more than once [6061]",
    ])
    expect(wrongSplit([{ ...main, receiverType: 'USER' }, user])).toEqual([
      "splitDetails must name the order's own receiver (BRANCH, its receiverId) too [6060]",
    ])
  })

  test('another recipient twice is 6097, however it is written', () => {
    const said = ['splitDetails names the same receiver more than once [6097]']
    const parts = [{ ...main, amount: '7.50' }, user]
    expect(wrongSplit([...parts, user])).toEqual(said)
    expect(wrongSplit([...parts, { ...user, receiverIdentifier: otherId.toUpperCase() }])).toEqual(said)
    expect(wrongSplit([...parts, { ...user, receiverType: 'BRANCH' }])).toEqual([])
  })

  test('parts that add up to less are 6059, to more 6066', () => {
    expect(wrongSplit([main, { ...user, amount: '2.49' }])).toEqual([
      'splitDetails add up to less than the amount: the parts must make the whole [6059]',
    ])
    expect(wrongSplit([main, { ...user, amount: '2.51' }])).toEqual([
      'splitDetails add up to more than the amount [6066]',
    ])
  })

  test('with a plan its price is what is split', () => {
    const plan = { interval: 'WEEKLY', intervalCount: '1', amount: '12.50' }
    const subscription = { amount: '0', saveCard: 'true', directLinkProvider: 'BOG', subscriptionPlan: plan }
    expect(wrongSplit([main, user], subscription)).toEqual([])
    expect(wrongSplit([main, { ...user, amount: '1' }], subscription)).toEqual([
      "splitDetails add up to less than the plan's amount: the parts must make the whole [6059]",
    ])
  })

  test('parts add up exactly, in tetri', () => {
    const tetri = fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(tetri, fc.bigInt(1n, 10n ** 12n), fc.integer({ min: -1, max: 1 }), (others, own, off) => {
        const parts = others.map((units, at) => ({
          receiverType: 'USER',
          receiverIdentifier: `7c9e6679-7425-40de-944b-${String(at).padStart(12, '0')}`,
          amount: fromMinorUnits(units),
        }))
        const whole = others.reduce((total, units) => total + units, own) + BigInt(off)
        const said = wrongSplit([{ ...main, amount: fromMinorUnits(own) }, ...parts], { amount: fromMinorUnits(whole) })
        const code = { '-1': '[6066]', '0': undefined, '1': '[6059]' }[String(off)]
        expect(said.map((each) => each.slice(-6))).toEqual(code ? [code] : [])
      }),
    )
  })
})
