/** The looks of a worker at whole plans. */
import { expect, test } from 'vitest'
import { WholePlans } from '../../../src/lib/fleet/whole-plans.ts'
import type { HandedRow } from '../../../src/lib/store/team/schema.ts'

const plan = { planId: 'b-3f9a1c2b7d10' }
const row: HandedRow = {
  ...{ plan_id: plan.planId, queue: 'rows', handed_at: '2026-11-20T06:31:00.000Z', stopped: null, stopped_kind: null },
  ...{ ended_at: null, swept_at: null, rate: null, next_turn: null, allow_duplicates: 0 },
}

function looking() {
  const plans = new WholePlans<number>()
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
