/** Limits of a profile as they are typed, kept and told. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencies } from '../../src/lib/contract/payout/request.ts'
import {
  amountOf,
  countedInWords,
  dayEnd,
  dayStart,
  isSameKind,
  type Limit,
  leftOf,
  limitSpans,
  limitText,
  nothingSpent,
  onePayout,
  readLimit,
  type Spending,
  shortagesInWords,
  shortagesOf,
  tbilisiDay,
  tbilisiTime,
} from '../../src/lib/spending.ts'
import { around, assertOfBoth } from '../kit/run/property.ts'

function limitOf(text: string): Limit {
  const read = readLimit(text)
  if (!read.ok) throw new Error(read.complaint)
  return read.limit
}

describe('limits', () => {
  test.each([
    ['GEL 5000/payout', { currency: 'GEL', most: 500_000n, per: 'payout' }, 'GEL 5000.00/payout'],
    ['GEL 20000/day', { currency: 'GEL', most: 2_000_000n, per: 'day' }, 'GEL 20000.00/day'],
    ['100/hour', { currency: null, most: 100n, per: 'hour' }, '100/hour'],
    [' USD 0.01/hour ', { currency: 'USD', most: 1n, per: 'hour' }, 'USD 0.01/hour'],
    ['EUR 0/payout', { currency: 'EUR', most: 0n, per: 'payout' }, 'EUR 0.00/payout'],
    ['0/day', { currency: null, most: 0n, per: 'day' }, '0/day'],
    ['GEL 1.5/day', { currency: 'GEL', most: 150n, per: 'day' }, 'GEL 1.50/day'],
  ] as const)('a limit typed "%s" is read', (text, limit, kept) => {
    expect(readLimit(text)).toEqual({ ok: true, limit })
    expect(limitText(limit)).toBe(kept)
  })

  test.each([
    ['', 'is written like'],
    ['5000', 'is written like'],
    ['GEL 5000', 'is written like'],
    ['GEL 5000/week', 'is written like'],
    ['GEL5000/day', 'needs a plain number'],
    ['GEL  5000/day', 'is written like'],
    ['GEL 5000/day/x', 'is written like'],
    ['x GEL 5000/day', 'is written like'],
    ['GEL /day', 'is written like'],
    ['GEL 5000 /day', 'is written like'],
    ['gel 5000/day', 'knows the currencies GEL, USD, EUR, not "gel"'],
    ['GBP 5000/day', 'knows the currencies GEL, USD, EUR, not "GBP"'],
    ['GEL 5,000/day', 'needs a plain number like 5000 or 5000.50, not "5,000"'],
    ['GEL 5e3/day', 'needs a plain number'],
    ['GEL -5/day', 'needs a plain number'],
    ['GEL 05/day', 'needs a plain number'],
    ['GEL 5.001/day', 'needs a plain number'],
    ['GEL 0x10/day', 'needs a plain number'],
    ['GEL 1234567890123456/day', 'needs a plain number'],
    ['GEL ٥/day', 'needs a plain number'],
    ['1.5/hour', 'needs a currency'],
    ['100.00/hour', 'needs a currency'],
    ['1/payout', 'needs a currency'],
  ])('a limit typed "%s" is refused: it %s', (text, words) => {
    const read = readLimit(text)
    expect(read).toMatchObject({ ok: false, complaint: expect.stringContaining(words) })
  })

  const amounts = fc
    .tuple(fc.bigInt({ min: 0n, max: 999_999_999_999n }), fc.constantFrom('', '.5', '.05', '.50'))
    .map(([whole, rest]) => `${whole}${rest}`)
  const sums = fc
    .tuple(fc.constantFrom(...currencies), amounts, fc.constantFrom(...limitSpans))
    .map(([currency, amount, per]) => `${currency} ${amount}/${per}`)
  const counts = fc
    .tuple(fc.bigInt({ min: 0n, max: 999_999n }), fc.constantFrom('hour', 'day'))
    .map(([count, per]) => `${count}/${per}`)

  test('a limit in the form in which it is kept is read as the same limit', () => {
    const letters = 'GELUSD 0159.,/-eadhourypt'
    assertOfBoth(
      around(fc.oneof(sums, counts), letters, 20),
      (text) => readLimit(text).ok,
      (text, accepted) => {
        if (!accepted) return
        const limit = limitOf(text)
        expect(limitOf(limitText(limit))).toEqual(limit)
        // No digit is lost or invented: what was typed is the same number.
        const [, , amount = '', per] = /^(?:(\S+) )?(\S+)\/(\S+)$/.exec(text.trim()) ?? []
        const [whole = '', rest = ''] = amount.split('.')
        const units = BigInt(whole) * 100n + BigInt(rest.padEnd(2, '0'))
        expect(limit.most).toBe(limit.currency === null ? units / 100n : units)
        expect(limit.per).toBe(per)
        expect(limit.currency === null && (limit.per === 'payout' || rest !== '')).toBe(false)
      },
    )
  })
})

test('a sum is told with its currency, a number of payouts with its noun', () => {
  expect(countedInWords({ currency: 'GEL' }, 1250n)).toBe('GEL 12.50')
  expect([0n, 1n, 2n].map((count) => countedInWords({ currency: null }, count))).toEqual([
    '0 payouts',
    '1 payout',
    '2 payouts',
  ])
})

test('limits are of one kind if both their currency and their span are the same', () => {
  const same = (one: string, other: string) => isSameKind(limitOf(one), limitOf(other))
  expect(same('GEL 1/day', 'GEL 2/day')).toBe(true)
  expect(same('GEL 1/day', 'GEL 1/hour')).toBe(false)
  expect(same('GEL 1/day', 'USD 1/day')).toBe(false)
  expect(same('1/day', 'GEL 1/day')).toBe(false)
})

// Payouts that do not fit the limits of a profile: how much is missing, when they fit, and that in words.

const now = Date.parse('2026-11-20T06:00:00Z')
const minute = 60_000

/** Payouts of a currency that were opened so many minutes ago, as amounts of one payout each. */
function ago(minutes: number, units: bigint, currency = 'GEL'): Spending {
  return { currency, payouts: 1n, units, until: now - minutes * minute }
}

const inADay = (...day: readonly Spending[]) => ({ ...nothingSpent, day })
const inAnHour = (...hour: readonly Spending[]) => ({ ...nothingSpent, hour })

describe('what does not fit a limit', () => {
  test('a limit per payout: the largest payout counts, and above the limit it never fits', () => {
    const demand = { payouts: 2n, sums: new Map([['GEL', 150n]]), largest: new Map([['GEL', 101n]]) }
    const shortages = shortagesOf([limitOf('GEL 1/payout')], demand, nothingSpent, now)
    expect(shortages).toMatchObject([{ left: 100n, needed: 101n, fitsAt: null }])
    expect(shortagesInWords(shortages)).toBe(
      'GEL 1.01 is above the limit of GEL 1.00/payout (raise the limit, or pay in parts)',
    )
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
      'GEL 1.00/day leaves GEL 0.10; GEL 0.11 is possible from 2026-11-21 00:00 Tbilisi time',
    )
    expect(words(['GEL 1/hour'], 101n)).toBe(
      'GEL 1.01 is above the limit of GEL 1.00/hour (raise the limit, or pay in parts)',
    )
    expect(words(['2/day', 'GEL 0.05/payout'], 11n)).toBe(
      '2/day leaves 0 payouts; 1 payout is possible from 2026-11-21 00:00 Tbilisi time; GEL 0.11 is above the limit of GEL 0.05/payout (raise the limit, or pay in parts)',
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

const inTbilisi = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Tbilisi',
  ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
})

/** "2026-11-21 00:00" as the system's table of zones has it. */
function wallClock(moment: number): string {
  return inTbilisi.format(moment).replace(', ', ' ')
}

// Georgia has had no summer time since 2006.
const moments = fc.integer({ min: Date.UTC(2006, 0, 1), max: Date.UTC(2060, 0, 1) })

test('a day is one of Asia/Tbilisi: it begins at its midnight and has one date', () => {
  fc.assert(
    fc.property(moments, (now) => {
      const [start, end] = [dayStart(now), dayEnd(now)]
      expect(start).toBeLessThanOrEqual(now)
      expect(now).toBeLessThan(end)
      expect(wallClock(start).slice(11)).toBe('00:00')
      expect(tbilisiDay(now)).toBe(wallClock(now).slice(0, 10))
      expect(wallClock(start).slice(0, 10)).toBe(wallClock(now).slice(0, 10))
      expect(wallClock(end - 1).slice(0, 10)).toBe(wallClock(now).slice(0, 10))
      expect(wallClock(end).slice(0, 10)).not.toBe(wallClock(now).slice(0, 10))
    }),
  )
})

test('tbilisiDay: midnight in Tbilisi, which is 20:00 UTC, begins the next day', () => {
  expect(tbilisiDay(Date.parse('2026-11-20T19:59:59.999Z'))).toBe('2026-11-20')
  expect(tbilisiDay(Date.parse('2026-11-20T20:00:00Z'))).toBe('2026-11-21')
})

test('a time is told as clocks in Tbilisi show it, to the minute, never too early', () => {
  fc.assert(
    fc.property(moments, (now) => {
      const told = tbilisiTime(now)
      expect(told).toBe(`${wallClock(Math.ceil(now / 60_000) * 60_000)} Tbilisi time`)
    }),
  )
  expect(tbilisiTime(Date.parse('2026-11-20T20:00:00Z'))).toBe('2026-11-21 00:00 Tbilisi time')
  expect(tbilisiTime(Date.parse('2026-11-20T20:00:00.001Z'))).toBe('2026-11-21 00:01 Tbilisi time')
})
