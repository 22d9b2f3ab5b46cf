import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ruleReached } from '../../../src/lib/approvals/decide.ts'
import type { RuleRow } from '../../../src/lib/store/journal/schema.ts'

function rule(from: bigint, approvers: number, currency = 'GEL'): RuleRow {
  const nobody = { removed_at: null, removed_by: null, removal: null, added_at: '', added_by: '', signature: '' }
  return {
    id: `r-${currency}-${approvers}`,
    currency,
    from_units: String(from),
    approvers,
    salt: '',
    digest: '',
    ...nobody,
  }
}

const units = fc.bigInt({ min: 0n, max: 5000n })
const makers = fc.constantFrom('', 'anna', 'nino')
const currencies = fc.constantFrom('GEL', 'USD')
const day = fc.array(
  fc.record({
    maker: makers,
    currency: fc.constantFrom('GEL', 'USD', ''),
    approvers: fc.integer({ min: 0, max: 3 }),
    units,
  }),
)
const rules = fc.array(
  fc
    .tuple(units, fc.integer({ min: 1, max: 3 }), currencies)
    .map(([from, approvers, currency]) => rule(from, approvers, currency)),
)

test('a sum needs as many as the strictest step that it reaches with its day', () => {
  fc.assert(
    fc.property(rules, day, currencies, units, makers, (given, sums, currency, asked, maker) => {
      const needs = ruleReached(given, { currency, units: asked, maker }, sums)?.rule.approvers ?? 0
      for (const each of given.filter((own) => own.currency === currency)) {
        let sum = asked
        for (const before of sums) {
          const isOfMaker = maker === '' || before.maker === '' || before.maker === maker
          if (
            isOfMaker &&
            (before.currency === currency || before.currency === '') &&
            before.approvers < each.approvers
          )
            sum += before.units
        }
        if (sum >= BigInt(each.from_units)) expect(needs).toBeGreaterThanOrEqual(each.approvers)
        else if (needs === each.approvers)
          expect(given.filter((own) => own.approvers === needs).length).toBeGreaterThan(1)
      }
    }),
    { numRuns: 500 },
  )
})

test('pieces need what the whole would: splitting buys nothing', () => {
  fc.assert(
    fc.property(rules, fc.array(units, { minLength: 1, maxLength: 6 }), makers, (given, pieces, maker) => {
      const whole = pieces.reduce((all, piece) => all + piece, 0n)
      const needs = (asked: bigint, before: readonly bigint[]) =>
        ruleReached(
          given,
          { currency: 'GEL', units: asked, maker },
          before.map((each) => ({ maker, currency: 'GEL', approvers: 0, units: each })),
        )?.rule.approvers ?? 0
      const last = needs(pieces.at(-1) ?? 0n, pieces.slice(0, -1))
      expect(last).toBe(needs(whole, []))
    }),
    { numRuns: 500 },
  )
})

test('a sum without a currency meets the rules of every currency', () => {
  expect(ruleReached([rule(100n, 2, 'USD')], { currency: null, units: 100n, maker: '' }, [])?.rule.approvers).toBe(2)
  expect(ruleReached([rule(100n, 2, 'USD')], { currency: 'GEL', units: 100n, maker: '' }, [])).toBeNull()
})
