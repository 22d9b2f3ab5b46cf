import fc from 'fast-check'
import { expect, test } from 'vitest'
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

const own = "the order's own receiver"
const alone = 'must be a plain decimal number like 12.50, without exponent or separators'
const plan = { interval: 'WEEKLY', intervalCount: '1', amount: '12.50' }
const subscription = { amount: '0', saveCard: 'true', directLinkProvider: 'BOG', subscriptionPlan: plan }
const seven = [{ ...main, amount: '7.50' }, user]

/** Complaints about a whole split. */
const wholes: readonly (readonly [split: readonly object[], complaints: readonly string[], order?: object])[] = [
  [[main, user], []],
  [[account, main], []],
  [[], ['must not be empty: omit it if nothing is split [6064]']],
  [[{ ...main, amount: '12.50' }], ['needs at least 2 recipients [6062]']],
  [[account, { ...user, amount: '10' }], [`must name ${own} (BRANCH, its receiverId) too [6060]`]],
  [[{ ...main, receiverType: 'USER' }, user], [`must name ${own} (BRANCH, its receiverId) too [6060]`]],
  [[main, { ...main, amount: '2.50' }], [`names ${own} more than once [6061]`]],
  [[...seven, user], ['names the same receiver more than once [6097]']],
  [
    [...seven, { ...user, receiverIdentifier: otherId.toUpperCase() }],
    ['names the same receiver more than once [6097]'],
  ],
  [[...seven, { ...user, receiverType: 'BRANCH' }], []],
  [[main, { ...user, amount: '2.49' }], ['add up to less than the amount: the parts must make the whole [6059]']],
  [[main, { ...user, amount: '2.51' }], ['add up to more than the amount [6066]']],
  [[main, user], [], subscription],
  [
    [main, { ...user, amount: '1' }],
    ["add up to less than the plan's amount: the parts must make the whole [6059]"],
    subscription,
  ],
]

const judged = wholes.map(([split, said, changed = {}]) => [split, said, changed] as const)

test.each(judged)('split %j: %j', (split, said, changed) => {
  expect(wrongSplit(split, { ...changed })).toEqual(said.map((each) => `splitDetails ${each}`))
})

/** The complaint about the second part. */
const parts: readonly (readonly [part: object, complaint: string])[] = [
  [{ ...user, receiverType: 'SHOP' }, 'receiverType must be one of BRANCH, USER, IBAN [6098]'],
  ...['BRANCH', 'USER'].flatMap((receiverType) =>
    [iban, 'x', ''].map(
      (receiverIdentifier) =>
        [
          { ...user, receiverType, receiverIdentifier },
          `receiverIdentifier must be a UUID for a ${receiverType} [6099]`,
        ] as const,
    ),
  ),
  [
    { ...account, receiverIdentifier: otherId },
    'receiverIdentifier must be a Georgian IBAN: GE, 2 digits, 2 capital letters, 16 digits [6099]',
  ],
  [
    { ...account, receiverIdentifier: 'GE29NB0000000101904918' },
    'receiverIdentifier has wrong check digits: one of its characters is mistyped [6099]',
  ],
  [{ ...user, amount: '0' }, 'amount must be greater than 0 [6068]'],
  [{ ...user, amount: '-2.5' }, 'amount must be greater than 0 [6068]'],
  [{ ...user, amount: '2.505' }, 'amount has more than 2 decimals [6058]'],
  [{ ...user, amount: 'x' }, `amount ${alone} [6021]`],
  [{ ...user, note: 'x' }, 'note is not a field of it [6049]'],
  [{}, 'receiverType is required [6098]'],
  [{}, 'receiverIdentifier is required [6099]'],
  [{}, 'amount is required [6021]'],
]

test.each(parts)('a part %j: %s', (part, complaint) => {
  expect(wrongSplit([main, part])).toContain(`splitDetails entry 2: ${complaint}`)
})

test('a split that is no list of parts is refused, and identifiers are tidied as what they are', () => {
  expect(wrongSplit('all')[0]).toMatch(/^splitDetails .*\[6049\]$/)
  expect(wrongSplit([main, 'rest'])[0]).toMatch(/^splitDetails entry 2: .*\[6049\]$/)
  const typed = [
    { ...account, receiverIdentifier: ' ge29 nb00 0000 0101 9049 17' },
    { ...user, receiverIdentifier: ` ${otherId.toUpperCase()}` },
  ]
  expect(tidy(createOrder, { splitDetails: typed })).toEqual({ splitDetails: [account, user] })
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
