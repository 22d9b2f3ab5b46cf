/** The look of a worker at a plan: what it saw long ago lets nothing leave. */
import { expect, test } from 'vitest'
import { StopDecision } from '../../../src/lib/batch/stop.ts'
import { steadyNow } from '../../../src/lib/edge.ts'
import { PlanChecks, watchPlan } from '../../../src/lib/fleet/worker.ts'
import type { HandedRow } from '../../../src/lib/store/team/schema.ts'
import { hurriedClock } from '../../kit/clock.ts'

const row: HandedRow = {
  ...{
    plan_id: 'b-3f9a1c2b7d10',
    queue: 'rows',
    handed_at: '2026-11-20T06:31:00.000Z',
    stopped: null,
    stopped_kind: null,
  },
  ...{ ended_at: null, swept_at: null, rate: null, next_turn: null, allow_duplicates: 0 },
}

function watching(asleep = 0) {
  const clock = hurriedClock()
  const stopping = new StopDecision(null)
  let handed: HandedRow | null = row
  let [asleepFor, then]: [number, HandedRow | null] = [0, row]
  const handedOf = async () => {
    const seen = handed
    if (asleepFor > 0) handed = then
    clock.skip(asleepFor)
    asleepFor = 0
    return seen
  }
  // Looks at other times come from the test alone.
  const never = { ...clock, sleep: () => new Promise<void>(() => undefined) }
  const since = steadyNow(clock)
  clock.skip(asleep)
  const watch = watchPlan({ handed: handedOf }, row.plan_id, stopping, never, since)
  return {
    ...{ clock, stopping, watch },
    becomes: (next: HandedRow | null) => {
      handed = next
    },
    /** The next answer is slept over, and the plan is another one by then. */
    sleepsOver: (next: HandedRow | null) => {
      asleepFor = 60_000
      then = next
    },
  }
}

test('a worker that slept looks before the next row, and sends nothing of a plan that was taken back', async () => {
  const { clock, stopping, watch, becomes } = watching()
  becomes({ ...row, stopped: 'it was discarded' })
  await watch.ask()
  clock.skip(11_000)
  await expect(watch.ask()).rejects.toThrow('nothing more of the plan is sent')
  expect(stopping.reason).toMatchObject({ why: 'it was discarded' })
  watch.end()
})

test('what it has on its way stays here when it may be taken for gone, until it has looked again', async () => {
  const { clock, watch } = watching()
  expect(watch.isOver()).toBe(false)
  clock.skip(31_000)
  expect(watch.isOver()).toBe(true)
  await watch.ask()
  expect(watch.isOver()).toBe(false)
  watch.end()
})

test('a worker that slept before its first row looks, too: what it read counts from before it was asked for', async () => {
  const { stopping, watch, becomes } = watching(66_000)
  expect(watch.isOver()).toBe(true)
  becomes({ ...row, stopped: 'it was discarded' })
  await expect(watch.ask()).rejects.toThrow('nothing more of the plan is sent')
  expect(stopping.reason).toMatchObject({ why: 'it was discarded' })
  watch.end()
})

test('an answer that was slept over is none', async () => {
  const { clock, watch, sleepsOver } = watching()
  clock.skip(11_000)
  sleepsOver({ ...row, stopped: 'it was discarded' })
  await expect(watch.ask()).rejects.toThrow('nothing more of the plan is sent')
  watch.end()
})

// The looks of a worker at whole plans.

const plan = { planId: 'b-3f9a1c2b7d10' }
function looking() {
  const plans = new PlanChecks<number>()
  let looks = 0
  let isAway = false
  return {
    away: (next: boolean) => {
      isAway = next
    },
    look: (handed = row) =>
      plans.of(plan, handed, async () => {
        looks += 1
        if (isAway) throw new Error('the store is away')
        return looks
      }),
  }
}

test('a plan is looked at once while it is handed over, whoever asks at once, and anew when it is handed over anew', async () => {
  const { look } = looking()
  expect(await Promise.all([look(), look()])).toEqual([1, 1])
  expect(await look()).toBe(1)
  expect(await look({ ...row, handed_at: '2026-11-20T07:31:00.000Z' })).toBe(2)
})

test('a look that failed is made anew', async () => {
  const { look, away } = looking()
  away(true)
  await expect(Promise.all([look(), look()])).rejects.toThrow('the store is away')
  away(false)
  expect(await look()).toBe(2)
})
