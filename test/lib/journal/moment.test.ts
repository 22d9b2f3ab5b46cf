/** Time that passes, told by a clock that may be set and by the time since the machine started. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock } from '../../../src/lib/edge.ts'
import {
  isOfThisMachine,
  later,
  type Moment,
  maxElapsed,
  minElapsed,
  storeMoment,
  timeLeft,
} from '../../../src/lib/journal/moment.ts'

const start = Date.parse('2026-11-20T06:00:00Z')

/** A moment `passed` milliseconds after the start, on a clock that was set by `set`. */
function at(passed: number, set = 0, boot = 'one'): Moment {
  return { now: start + passed + set, steady: { boot, milliseconds: 1_000_000 + passed } }
}

const time = fc.integer({ min: 0, max: 10 * 86_400_000 })
const set = fc.integer({ min: -10 * 86_400_000, max: 10 * 86_400_000 })

test('however the clock is set, no more has certainly passed than did, and no less may have passed', () => {
  fc.assert(
    fc.property(time, time, set, (before, passed, by) => {
      const since = storeMoment(at(before))
      expect(minElapsed(since, at(before + passed, by))).toBeLessThanOrEqual(passed)
      expect(maxElapsed(since, at(before + passed, by))).toBeGreaterThanOrEqual(passed)
    }),
  )
})

test('a clock that is right tells both alike', () => {
  fc.assert(
    fc.property(time, time, (before, passed) => {
      const since = storeMoment(at(before))
      expect(minElapsed(since, at(before + passed))).toBe(passed)
      expect(maxElapsed(since, at(before + passed))).toBe(passed)
    }),
  )
})

test('after a restart no more has certainly passed than since then', () => {
  const since = storeMoment(at(0))
  const restarted: Moment = { now: start + 86_400_000, steady: { boot: 'two', milliseconds: 60_000 } }
  expect(minElapsed(since, restarted)).toBe(60_000)
  expect(maxElapsed(since, restarted)).toBe(86_400_000)
})

test('where the system does not tell when it started, the clock is all there is', () => {
  const bare = (now: number): Moment => ({ now, steady: null })
  expect(minElapsed(storeMoment(bare(start)), bare(start + 5))).toBe(5)
  expect(minElapsed(storeMoment(at(0)), bare(start + 5))).toBe(5)
  expect(maxElapsed(storeMoment(bare(start)), bare(start + 5))).toBe(5)
  expect(storeMoment(bare(start))).toEqual({ iso: '2026-11-20T06:00:00.000Z', steady: null })
})

test('a machine is the same after it has started anew, by its name and the time of its start', () => {
  const on = (boot: string, machine?: string, up = 5, now = start + 5): Moment => ({
    now,
    steady: { boot, milliseconds: up, ...(machine === undefined ? {} : { machine }) },
  })
  expect(isOfThisMachine(storeMoment(on('one', 'this')), on('two', 'this', 7, start + 12))).toBe(true)
  expect(isOfThisMachine(storeMoment(on('one', 'this')), on('two', 'that'))).toBe(false)
  // A start that is older than what another start has kept is one of another machine.
  expect(isOfThisMachine(storeMoment(on('one', 'this')), on('two', 'this', 8, start + 12))).toBe(false)
  expect(isOfThisMachine(storeMoment(on('one')), on('one'))).toBe(true)
  // Some machines have no name.
  expect(isOfThisMachine(storeMoment(on('one')), on('two', undefined, 7, start + 12))).toBe(true)
  expect(isOfThisMachine(storeMoment(on('one')), on('two', 'that', 7, start + 12))).toBe(true)
  expect(isOfThisMachine(storeMoment(on('one')), on('two', undefined, 8, start + 12))).toBe(false)
  expect(minElapsed(storeMoment(on('one', 'this')), later(on('one', 'this'), 7))).toBe(7)
})

test('a later moment is later by both', () => {
  expect(later(at(0), 7)).toEqual(at(7))
  expect(later({ now: start, steady: null }, 7)).toEqual({ now: start + 7, steady: null })
})

test('the time that is left does not grow when the clock is set back', () => {
  let moment = at(0)
  const clock: Clock = {
    now: () => moment.now,
    steady: () => moment.steady,
    sleep: () => Promise.reject(new Error('nobody sleeps here')),
  }
  const left = timeLeft(clock, start + 100)
  expect(left()).toBe(100)
  moment = at(60, -86_400_000)
  expect(left()).toBe(40)
  moment = at(60, 86_400_000)
  expect(left()).toBeLessThan(0)
})
