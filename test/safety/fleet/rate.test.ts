/** `batch run --workers --rate`: the rate is that of all workers together, repeats included. Turns behind a pause: test/lib/fleet/rate-limiter.test.ts. */

import { expect, test } from 'vitest'
import { postgresServer } from '../../kit/postgres.ts'
import { succeeds } from '../../kit/program.ts'
import { serviceByHand } from '../../kit/service.ts'
import { teamDesk } from '../../kit/team.ts'

const server = postgresServer()

const rate = 40

// Two workers start, and 124 requests leave at forty a second.
test('batch run --workers --rate: two workers together send no more than the rate, repeats included (0)', {
  timeout: 60_000,
}, async () => {
  const address = await server.newAddress()
  const arrived: number[] = []
  const service = await serviceByHand(({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(performance.now())
    const isBusy = arrived.length > 5 && arrived.length <= 9
    return isBusy ? { status: 429, headers: { 'retry-after': '1' }, body: '' } : undefined
  })
  const desk = await teamDesk(address, service.url, 120)
  const planId = await desk.plan()
  const workers = [desk.work(), desk.work()]
  const began = performance.now()
  const ended = await succeeds(desk.handOver(planId, '--rate', `${rate}/s`).end)
  expect(ended.json).toMatchObject({ accepted: 120 })
  for (const { stop } of workers) stop()
  for (const { end } of workers) expect((await end).code).toBe(0)
  expect(arrived.length).toBeGreaterThan(120)
  // A slow machine makes them later only; the first turn is given away behind the start, and one may be late by a quarter of a second.
  for (const [before, at] of arrived.entries()) {
    expect(before).toBeLessThanOrEqual(((at - began) / 1000 + 0.25) * rate + 1)
  }
})
