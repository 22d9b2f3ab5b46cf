/** Limits of a profile as they are typed, kept and told. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencies } from '../../src/lib/contract/payout/request.ts'
import {
  amountOf,
  countedInWords,
  type Demand,
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
  type Shortage,
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

const inAnHour = (...hour: readonly Spending[]) => ({ ...nothingSpent, hour })
const midnight = Date.parse('2026-11-20T20:00:00Z')
const later = (minutes: number) => now + minutes * minute
const gel = (units: bigint) => onePayout('GEL', units)
const two = { payouts: 2n, sums: new Map([['GEL', 150n]]), largest: new Map([['GEL', 101n]]) }

const hundred = [ago(10, 30n), ago(50, 40n), ago(30, 30n)]
const mixed = [ago(10, 500n), ago(20, 700n, 'USD')]

type Short = Pick<Shortage, 'left' | 'needed' | 'fitsAt'> | null

/** What was spent counts in the hour and in the day. */
test.each<[what: string, limit: string, demand: Demand, spent: readonly Spending[], short: Short]>([
  ['the largest payout counts', 'GEL 1/payout', two, [], { left: 100n, needed: 101n, fitsAt: null }],
  ['exactly as much, whatever was spent before', 'GEL 1.01/payout', two, [ago(1, 500n)], null],
  ['the sum of all payouts counts', 'GEL 1.49/day', two, [], { left: 149n, needed: 150n, fitsAt: null }],
  ['the sum of all payouts counts', 'GEL 1.49/hour', two, [], { left: 149n, needed: 150n, fitsAt: null }],
  ['exactly the sum', 'GEL 1.50/day', two, [], null],
  ['exactly the sum', 'GEL 1.50/hour', two, [], null],
  ['what is left', 'GEL 1/day', gel(10n), [ago(500, 90n), ago(5, 900n, 'USD')], null],
  ['a cent more', 'GEL 1/day', gel(11n), [ago(500, 90n)], { left: 10n, needed: 11n, fitsAt: midnight }],
  ['the whole limit', 'GEL 1/day', gel(100n), [ago(10, 1n)], { left: 99n, needed: 100n, fitsAt: midnight }],
  ['the whole limit', 'GEL 1/hour', gel(100n), [ago(10, 1n)], { left: 99n, needed: 100n, fitsAt: later(50) }],
  ['a cent above the limit', 'GEL 1/day', gel(101n), [ago(10, 1n)], { left: 99n, needed: 101n, fitsAt: null }],
  ['a cent above the limit', 'GEL 1/hour', gel(101n), [ago(10, 1n)], { left: 99n, needed: 101n, fitsAt: null }],
  ['the oldest is enough', 'GEL 1/hour', gel(40n), hundred, { left: 0n, needed: 40n, fitsAt: later(10) }],
  ['the next one, too', 'GEL 1/hour', gel(41n), hundred, { left: 0n, needed: 41n, fitsAt: later(30) }],
  ['all of them', 'GEL 1/hour', gel(71n), hundred, { left: 0n, needed: 71n, fitsAt: later(50) }],
  ['every currency counts', '2/hour', onePayout('EUR', 1n), mixed, { left: 0n, needed: 1n, fitsAt: later(40) }],
  ['as many payouts as it allows', '2/day', two, [], null],
  ['as many payouts as it allows', '2/hour', two, [], null],
  ['one more payout', '3/hour', onePayout('EUR', 1n), mixed, null],
  ['another currency', 'GEL 0/day', onePayout('USD', 1n), [ago(1, 9n)], null],
  [
    'a limit lowered below what is spent',
    'GEL 1/day',
    gel(1n),
    [ago(1, 500n)],
    { left: 0n, needed: 1n, fitsAt: midnight },
  ],
])('what does not fit a limit: %s, %s', (_what, text, demand, spent, short) => {
  const limit = limitOf(text)
  const before = spent.length > 0 ? { day: spent, hour: spent } : nothingSpent
  const shortages = shortagesOf([limit], demand, before, now)
  expect(shortages).toEqual(short ? [{ limit, ...short }] : [])
})

test('shortages in words: what is left, what is asked for, and when it fits', () => {
  const spent = { day: [ago(10, 90n), ago(10, 1n, 'USD')], hour: [ago(10, 90n)] }
  const words = (limits: readonly string[], units: bigint) =>
    shortagesInWords(shortagesOf(limits.map(limitOf), gel(units), spent, now))
  expect(words(['GEL 1/day'], 11n)).toBe(
    'GEL 1.00/day leaves GEL 0.10; GEL 0.11 is possible from 2026-11-21 00:00 Tbilisi time',
  )
  expect(words(['2/day', 'GEL 0.05/payout'], 11n)).toBe(
    '2/day leaves 0 payouts; 1 payout is possible from 2026-11-21 00:00 Tbilisi time; GEL 0.11 is above the limit of GEL 0.05/payout (the limit is set by who manages this profile: `paydesk profile show`)',
  )
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
    const limit = limitOf('GEL 1/day')
    fc.assert(
      fc.property(spendings, fc.nat(), (all, cut) => {
        const at = all.length === 0 ? 0 : cut % all.length
        const whole = amountOf(limit, all)
        expect(amountOf(limit, all.toReversed())).toBe(whole)
        expect(amountOf(limit, all.slice(0, at)) + amountOf(limit, all.slice(at))).toBe(whole)
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
