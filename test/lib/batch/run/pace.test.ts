import { expect, test } from 'vitest'
import { Pace } from '../../../../src/lib/batch/run/pace.ts'
import type { Clock } from '../../../../src/lib/edge.ts'

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
  const pace = new Pace(clock, rate)
  await pace.pass(signal)
  set(-day)
  await pace.pass(signal)
  expect(slept()).toBe(rate === null ? 0 : 100)
})

test.each([-day, day])(
  'a service that asks for patience gets it whole when the clock is set by %i ms',
  async (step) => {
    const { clock, set, slept } = settable()
    const pace = new Pace(clock, null)
    pace.closeFor(3_000)
    set(step)
    await pace.pass(signal)
    expect(slept()).toBe(3_000)
  },
)

test('rows at a rate are spread evenly', async () => {
  const { clock, slept } = settable()
  const pace = new Pace(clock, 50)
  for (let row = 0; row < 11; row += 1) await pace.pass(signal)
  expect(slept()).toBe(200)
})
