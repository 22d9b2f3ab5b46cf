import { expect, test } from 'vitest'
import { RateLimiter } from '../../../src/lib/batch/rate-limiter.ts'
import type { Clock } from '../../../src/lib/edge.ts'

const day = 24 * 60 * 60 * 1000

/** A clock that can be set while the time goes on: how long was slept is added up. */
function settable() {
  let [passed, ahead, slept] = [5_000, 0, 0]
  const clock: Clock = {
    now: () => Date.parse('2026-11-20T06:00:00Z') + passed + ahead,
    steady: () => ({ boot: 'one', milliseconds: passed }),
    sleep: async (milliseconds) => {
      passed += milliseconds
      slept += milliseconds
    },
  }
  return {
    clock,
    set: (milliseconds: number) => {
      ahead += milliseconds
    },
    slept: () => slept,
  }
}

const { signal } = new AbortController()

test.each([null, 10])('a clock that is set back by a day holds nobody, at a rate of %s', async (rate) => {
  const { clock, set, slept } = settable()
  const limiter = new RateLimiter(clock, rate)
  await limiter.pass(signal)
  set(-day)
  await limiter.pass(signal)
  expect(slept()).toBe(rate === null ? 0 : 100)
})

test.each([-day, day])('a service that asks for patience gets it whole, the clock set by %i ms', async (step) => {
  const { clock, set, slept } = settable()
  const limiter = new RateLimiter(clock, null)
  limiter.pauseFor(3_000)
  set(step)
  await limiter.pass(signal)
  expect(slept()).toBe(3_000)
})

test('rows at a rate are spread evenly', async () => {
  const { clock, slept } = settable()
  const limiter = new RateLimiter(clock, 50)
  for (let row = 0; row < 11; row += 1) await limiter.pass(signal)
  expect(slept()).toBe(200)
})

/** Moments at which so many requests leave, one right after the other where they may. */
async function departures(limiter: RateLimiter, clock: Clock, many: number): Promise<readonly number[]> {
  const at: number[] = []
  for (let request = 0; request < many; request += 1) {
    await limiter.mayLeave(signal)
    at.push(clock.steady()?.milliseconds ?? 0)
    limiter.left()
  }
  return at
}

test('requests leave evenly at a rate, and behind a stall no burst makes up for it', async () => {
  const { clock } = settable()
  const limiter = new RateLimiter(clock, 10)
  expect(await departures(limiter, clock, 4)).toEqual([5_000, 5_100, 5_200, 5_300])
  await clock.sleep(5_000)
  expect(await departures(limiter, clock, 4)).toEqual([10_300, 10_400, 10_500, 10_600])
  limiter.pauseFor(3_000)
  expect(await departures(limiter, clock, 3)).toEqual([13_600, 13_700, 13_800])
})

test('a timer that is late by a little lowers no rate', async () => {
  const { clock } = settable()
  const late: Clock = { ...clock, sleep: (milliseconds) => clock.sleep(milliseconds + 2) }
  const at = await departures(new RateLimiter(late, 50), clock, 51)
  expect((at.at(-1) ?? 0) - 5_000).toBe(1_002)
})
