import { uptime } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'

test('the time since the start never goes back, however close two looks are', async () => {
  let last = 0
  for (const until = performance.now() + 400; performance.now() < until; ) {
    const told = realClock.steady()?.milliseconds ?? 0
    expect(told).toBeGreaterThanOrEqual(last)
    last = told
  }
})

test('the time since the start is the uptime of the machine, however often it is asked for', async () => {
  for (let round = 0; round < 20; round += 1) {
    for (let asked = 0; asked < 50; asked += 1) realClock.steady()
    const [before, told, after] = [uptime(), realClock.steady()?.milliseconds ?? 0, uptime()]
    expect(told).toBeGreaterThanOrEqual(before * 1000 - 15)
    expect(told).toBeLessThanOrEqual(after * 1000 + 15)
    await wait(7)
  }
})
