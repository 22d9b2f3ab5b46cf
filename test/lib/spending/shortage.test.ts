/** Payouts that do not fit the limits of a profile: how much is missing, when they fit, and that in words. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Limit, readLimit } from '../../../src/lib/spending/limit.ts'
import { onePayout, shortagesInWords, shortagesOf } from '../../../src/lib/spending/shortage.ts'
import { amountOf, leftOf, nothingSpent, type Spending } from '../../../src/lib/spending/spent.ts'

const now = Date.parse('2026-11-20T06:00:00Z')
const minute = 60_000

function limitOf(text: string): Limit {
  const read = readLimit(text)
  if (!read.ok) throw new Error(read.complaint)
  return read.limit
}

/** Payouts of a currency that were opened so many minutes ago, as amounts of one payout each. */
function ago(minutes: number, units: bigint, currency = 'GEL'): Spending {
  return { currency, payouts: 1n, units, until: now - minutes * minute }
}

const inADay = (...day: readonly Spending[]) => ({ ...nothingSpent, day })
const inAnHour = (...hour: readonly Spending[]) => ({ ...nothingSpent, hour })

describe('limits', () => {
  test('a limit per payout: the largest payout counts, and above the limit it never fits', () => {
    const demand = { payouts: 2n, sums: new Map([['GEL', 150n]]), largest: new Map([['GEL', 101n]]) }
    const shortages = shortagesOf([limitOf('GEL 1/payout')], demand, nothingSpent, now)
    expect(shortages).toMatchObject([{ left: 100n, needed: 101n, fitsAt: null }])
    expect(shortagesInWords(shortages)).toBe('GEL 1.01 cannot fit GEL 1.00/payout (raise the limit, or pay in parts)')
    expect(shortagesOf([limitOf('GEL 1.01/payout')], demand, nothingSpent, now)).toEqual([])
    // Nothing that was spent before counts.
    const spent = { day: [ago(1, 500n)], hour: [ago(1, 500n)] }
    expect(shortagesOf([limitOf('GEL 1.01/payout')], demand, spent, now)).toEqual([])
  })

  test('a limit per day or hour: the sum of all payouts counts, not the largest', () => {
    const demand = { payouts: 2n, sums: new Map([['GEL', 150n]]), largest: new Map([['GEL', 101n]]) }
    for (const per of ['day', 'hour']) {
      const shortages = shortagesOf([limitOf(`GEL 1.49/${per}`)], demand, nothingSpent, now)
      expect(shortages).toMatchObject([{ left: 149n, needed: 150n, fitsAt: null }])
      expect(shortagesOf([limitOf(`GEL 1.50/${per}`)], demand, nothingSpent, now)).toEqual([])
    }
  })

  test('a limit per day or hour: payouts of exactly the whole limit fit later, one more cent never', () => {
    const spent = { day: [ago(10, 1n)], hour: [ago(10, 1n)] }
    const fits = (per: string, units: bigint) =>
      shortagesOf([limitOf(`GEL 1/${per}`)], onePayout('GEL', units), spent, now)
    expect(fits('day', 100n)).toMatchObject([{ fitsAt: Date.parse('2026-11-20T20:00:00Z') }])
    expect(fits('hour', 100n)).toMatchObject([{ fitsAt: now + 50 * minute }])
    expect(fits('day', 101n)).toMatchObject([{ fitsAt: null }])
    expect(fits('hour', 101n)).toMatchObject([{ fitsAt: null }])
  })

  test('shortages in words: what is left, what is asked for, and when it fits', () => {
    const spent = { day: [ago(10, 90n), ago(10, 1n, 'USD')], hour: [ago(10, 90n)] }
    const words = (limits: readonly string[], units: bigint) =>
      shortagesInWords(shortagesOf(limits.map(limitOf), onePayout('GEL', units), spent, now))
    expect(words(['GEL 1/day'], 11n)).toBe(
      'GEL 1.00/day leaves GEL 0.10 for GEL 0.11, which fits from 2026-11-21 00:00 Tbilisi time on',
    )
    expect(words(['GEL 1/hour'], 101n)).toBe('GEL 1.01 cannot fit GEL 1.00/hour (raise the limit, or pay in parts)')
    expect(words(['2/day', 'GEL 0.05/payout'], 11n)).toBe(
      '2/day leaves 0 payouts for 1 payout, which fits from 2026-11-21 00:00 Tbilisi time on; GEL 0.11 cannot fit GEL 0.05/payout (raise the limit, or pay in parts)',
    )
  })

  test('a limit per day: what is above it fits from midnight in Tbilisi on', () => {
    const spent = inADay(ago(500, 90n), ago(5, 900n, 'USD'))
    const shortages = shortagesOf([limitOf('GEL 1/day')], onePayout('GEL', 11n), spent, now)
    expect(shortages).toMatchObject([{ left: 10n, needed: 11n, fitsAt: Date.parse('2026-11-20T20:00:00Z') }])
    expect(shortagesOf([limitOf('GEL 1/day')], onePayout('GEL', 10n), spent, now)).toEqual([])
    expect(shortagesOf([limitOf('GEL 1/day')], onePayout('GEL', 101n), spent, now)).toMatchObject([{ fitsAt: null }])
  })

  test('a limit per hour: a payout fits when as much as it needs is an hour old, and not before', () => {
    const spent = inAnHour(ago(10, 30n), ago(50, 40n), ago(30, 30n))
    const fits = (units: bigint) => shortagesOf([limitOf('GEL 1/hour')], onePayout('GEL', units), spent, now)
    expect(fits(40n)).toMatchObject([{ left: 0n, fitsAt: now + 10 * minute }])
    expect(fits(41n)).toMatchObject([{ fitsAt: now + 30 * minute }])
    expect(fits(71n)).toMatchObject([{ fitsAt: now + 50 * minute }])
  })

  test('a limit on the number of payouts: payouts of every currency count, whatever their sums', () => {
    const spent = inAnHour(ago(10, 500n), ago(20, 700n, 'USD'))
    const shortages = shortagesOf([limitOf('2/hour')], onePayout('EUR', 1n), spent, now)
    expect(shortages).toMatchObject([{ left: 0n, needed: 1n, fitsAt: now + 40 * minute }])
    expect(shortagesOf([limitOf('3/hour')], onePayout('EUR', 1n), spent, now)).toEqual([])
  })

  test('a limit of another currency holds nothing, however much of that is spent', () => {
    expect(shortagesOf([limitOf('GEL 0/day')], onePayout('USD', 1n), inADay(ago(1, 9n)), now)).toEqual([])
  })

  test('a limit that was lowered below what is spent leaves 0, not less', () => {
    expect(leftOf(limitOf('GEL 1/day'), inADay(ago(1, 500n)))).toBe(0n)
    expect(leftOf(limitOf('GEL 1/day'), inADay(ago(1, 99n)))).toBe(1n)
  })
})

describe('sums of limits', () => {
  const spendings = fc.array(
    fc.record({
      currency: fc.constantFrom('GEL', 'USD'),
      payouts: fc.bigInt({ min: 1n, max: 1_000_000n }),
      // Far above what a floating point number holds to the cent.
      units: fc.bigInt({ min: 1n, max: 10n ** 20n }),
      until: fc.integer({ min: now - 3_600_000, max: now }),
    }),
    { maxLength: 20 },
  )

  test('sums of payouts are added to the last cent, in any order and grouping', () => {
    const gel = limitOf('GEL 1/day')
    fc.assert(
      fc.property(spendings, fc.nat(), (all, cut) => {
        const at = all.length === 0 ? 0 : cut % all.length
        const whole = amountOf(gel, all)
        expect(amountOf(gel, all.toReversed())).toBe(whole)
        expect(amountOf(gel, all.slice(0, at)) + amountOf(gel, all.slice(at))).toBe(whole)
        const digits = all.filter(({ currency }) => currency === 'GEL').reduce((sum, { units }) => sum + units, 0n)
        expect(whole).toBe(digits)
      }),
    )
  })

  test('a payout fits exactly where enough is left, and from the moment on that is told', () => {
    fc.assert(
      fc.property(
        spendings,
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        fc.bigInt({ min: 0n, max: 10n ** 21n }),
        (hour, units, most) => {
          const limit: Limit = { currency: 'GEL', most, per: 'hour' }
          const left = leftOf(limit, inAnHour(...hour))
          const [shortage] = shortagesOf([limit], onePayout('GEL', units), inAnHour(...hour), now)
          expect(shortage === undefined).toBe(units <= left)
          if (!shortage) return
          expect(shortage.fitsAt === null).toBe(units > most)
          if (shortage.fitsAt === null) return
          const then = shortage.fitsAt
          const still = (moment: number) => hour.filter(({ until }) => until > moment - 3_600_000)
          const fits = (moment: number) =>
            shortagesOf([limit], onePayout('GEL', units), inAnHour(...still(moment)), moment)
          expect(fits(then)).toEqual([])
          expect(fits(then - 1)).not.toEqual([])
        },
      ),
    )
  })
})
