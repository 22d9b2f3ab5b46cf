/** The numbers of money-safety.md#what-may-be-repeated: pauses, how many repeats, and what a Retry-After asks for. */
import { describe, expect, test } from 'vitest'
import { askedPause, backoff, doublingPause, lookPauses, mostRepeats, nextPause } from '../../src/lib/backoff.ts'
import { realRandom } from '../../src/lib/edge.ts'
import { impatient } from '../kit/clock.ts'

const now = Date.parse('2026-11-20T10:00:00Z')
const longest = { ...realRandom, fraction: () => 1 }
const hour = 3_600_000

describe('the pause of a Retry-After', () => {
  test.each([
    ['seconds', '30', 30_000],
    ['none', '0', 0],
    ['a date to come', 'Fri, 20 Nov 2026 10:00:45 GMT', 45_000],
    ['a date that is over', 'Fri, 20 Nov 2026 09:59:00 GMT', 0],
    ['the oldest form of a date', 'Friday, 20-Nov-26 10:00:45 GMT', 45_000],
    ['nothing', '', null],
    ['a text', 'soon', null],
    ['a date that is none', 'Fri, soon', null],
    ['less than nothing', '-5', null],
    ['a part of a second', '1.5', null],
  ])('%s', (_what, header, milliseconds) => {
    expect(askedPause(header, now)).toBe(milliseconds)
  })

  test('is waited for up to a minute, and no longer', () => {
    expect(nextPause(0, 60_000, impatient, now, now + hour)).toBe(60_000)
    expect(nextPause(0, 60_001, impatient, now, now + hour)).toBeNull()
  })
})

describe('the pause before a repeat', () => {
  test('doubles from half a second up to eight, at most', () => {
    expect([0, 1, 2, 3, 4, 5].map((repeat) => backoff(repeat, longest))).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  })

  test('is any part of that', () => {
    expect(backoff(3, { ...realRandom, fraction: () => 0.25 })).toBe(1000)
    expect(backoff(3, impatient)).toBe(0)
  })

  test('of somebody who waits alone is the whole of it, with steps of its own', () => {
    expect([0, 1, 2, 3].map((repeat) => doublingPause(repeat, { base: 5, longest: 20 }))).toEqual([5, 10, 20, 20])
  })

  test('is none after the fourth repeat', () => {
    expect(mostRepeats).toBe(4)
    expect(nextPause(3, null, longest, now, now + hour)).toBe(4000)
    expect(nextPause(4, null, longest, now, now + hour)).toBeNull()
  })

  test('leaves half a second to be answered in, or is none', () => {
    expect(nextPause(0, null, longest, now, now + 1001)).toBe(500)
    expect(nextPause(0, null, longest, now, now + 1000)).toBeNull()
  })
})

test('lookPauses: a look that waited for a database makes no pause longer, two long looks do', () => {
  const pauseAfter = lookPauses(500)
  expect([40, 7_000, 60, 3_000, 2_000, 2_000].map(pauseAfter)).toEqual([500, 500, 600, 600, 20_000, 20_000])
})
