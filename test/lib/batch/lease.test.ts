/** The lease of a plan between processes that cannot look each other up, as in a team: it ends by time. */
import { expect, test } from 'vitest'
import { discardPlan, Lease } from '../../../src/lib/batch/lease.ts'
import { planStore } from '../../../src/lib/batch/plans.ts'
import type { ThisProcess } from '../../../src/lib/journal/lease.ts'
import { changePlan, newPlan, type PlanTables, planRow, planSchema } from '../../../src/lib/store/plans.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { memoryStore } from '../../kit/store.ts'

const minute = 60_000
const elsewhere = (self: string): ThisProcess => ({ self, standing: () => 'unknown' })

async function plan() {
  const clock = hurriedClock()
  const shared = await memoryStore<PlanTables>(planSchema)
  const store = planStore(shared, 'b-3f9a1c2b7d10', { clock, close: async () => undefined })
  const now = new Date(clock.now()).toISOString()
  const row = {
    ...{ facts: '{"rows":1}', planned_at: now, expires_at: now, conditions: '[]', discarded_at: null, complete: 1 },
    ...{ holder: null, held_since: null, held_until: null, held_until_steady: null },
  }
  await store.write((db) => newPlan(db, row))
  return { store, clock, lease: (self: string) => new Lease(store, elsewhere(self)) }
}

test('a lease says who holds it and since when, however often it is renewed', async () => {
  const { clock, lease } = await plan()
  const before = clock.now()
  const own = lease('office/31575/6410109/4026531836')
  await own.take()
  const behind = clock.now()
  const kept = own.keep(() => undefined)
  clock.skip(40_000)
  await kept.ask()
  kept.stop()
  const refused = await lease('till')
    .take()
    .catch((error: unknown) => error)
  const words = /^another run is paying the plan b-3f9a1c2b7d10 \(process 31575 on office, since (\S+)\)$/
  expect(refused).toMatchObject({ kind: 'locked', message: expect.stringMatching(words) })
  // The clock runs.
  const since = Date.parse(words.exec(refused instanceof Error ? refused.message : '')?.[1] ?? '')
  expect([since >= before, since <= behind]).toEqual([true, true])
})

test('a plan that is gone, or not whole, gives no lease (6)', async () => {
  const { store, lease } = await plan()
  await store.write((db) => changePlan(db, { complete: 0 }))
  await expect(lease('office').take()).rejects.toMatchObject({ kind: 'not-found' })
})

test('whoever slept past the lease discards nothing that another one pays', async () => {
  const { store, clock, lease } = await plan()
  const asleep = async () => {
    clock.skip(61 * 1000)
    await lease('till').take()
    return 0
  }
  const discarding = discardPlan({ takeBack: asleep }, 'b-3f9a1c2b7d10', store, elsewhere('office'))
  await expect(discarding).rejects.toMatchObject({ kind: 'locked', facts: { moneyMoved: 'unknown' } })
  expect(await store.ask(planRow)).toMatchObject({ holder: 'till', discarded_at: null })
  clock.skip(2 * minute)
  await discardPlan({ takeBack: async () => 0 }, 'b-3f9a1c2b7d10', store, elsewhere('office'))
  expect(await store.ask(planRow)).toMatchObject({ holder: null, discarded_at: expect.any(String) })
})

test('nothing leaves in the last seconds of a lease, nor after it, until it is renewed', async () => {
  const { clock, lease } = await plan()
  const own = lease('office')
  await own.take()
  const kept = own.keep(() => {
    throw new Error('it is nobody else’s')
  })
  expect(kept.isOver()).toBe(false)
  clock.skip(56_000)
  expect(kept.isOver()).toBe(true)
  await kept.ask()
  expect(kept.isOver()).toBe(false)
  clock.set(61_000)
  expect(kept.isOver()).toBe(true)
  kept.stop()
})
