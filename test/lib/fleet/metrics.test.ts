/** The figures of a worker whose store is away, and who is ending. */
import { expect, test } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { WorkerMetrics } from '../../../src/lib/fleet/metrics.ts'
import type { Journal } from '../../../src/lib/journal/journal.ts'
import { readFigures } from '../../kit/figures.ts'

const place = { environment: 'test', service: 'https://pay.example', serviceId: 'https://pay.example', clientId: 'me' }
/** Naps are short, so that nobody waits for a store that is away. */
const clock = { ...realClock, sleep: (_: number, signal?: AbortSignal) => realClock.sleep(5, signal) }

/** A store that counts its questions and answers none of them. */
function away() {
  let asked = 0
  const ask: Journal['ask'] = () => {
    asked += 1
    return new Promise(() => undefined)
  }
  return { journal: { ask }, asked: () => asked }
}

test('a store that does not answer is told, its figures are left out, and one question waits for it', async () => {
  const { journal, asked } = away()
  const ending = new AbortController()
  const figures = new WorkerMetrics({ journal, place, clock, signal: ending.signal })
  const told = readFigures(await figures.text())
  expect(told.get('paydesk_store_up')).toBe(0)
  expect(told.get('paydesk_rows_total{outcome="accepted"}')).toBe(0)
  expect([...told.keys()].filter((name) => /unknown(_amount|_seconds)?$|in_flight/.test(name))).toEqual([])
  expect(await figures.unready()).toContain('store')
  await figures.text()
  expect(asked()).toBe(1)
  ending.abort()
  expect(await figures.unready()).toContain('ending')
})

test('a request that was lost counts with the time until that was known', async () => {
  const { journal } = away()
  const figures = new WorkerMetrics({ journal, place, clock, signal: new AbortController().signal })
  let now = 0
  const slow = new WorkerMetrics({
    ...{ journal, place, signal: new AbortController().signal },
    clock: { ...clock, now: () => now },
  })
  const limits = { connectTimeout: 1, answerTimeout: 1, signal: new AbortController().signal }
  const request = { method: 'GET', path: '/', query: [], headers: {}, body: null } as const
  await slow.timing(async () => {
    now += 7_000
    return { kind: 'unanswered', why: 'reset' }
  })('https://pay.example', request, limits)
  const told = readFigures(await slow.text())
  expect(told.get('paydesk_request_seconds_sum{answer="unanswered"}')).toBe(7)
  expect(told.get('paydesk_request_seconds_bucket{le="5",answer="unanswered"}')).toBe(0)
  expect(told.get('paydesk_request_seconds_bucket{le="10",answer="unanswered"}')).toBe(1)
  expect(readFigures(await figures.text()).has('paydesk_request_seconds_count{answer="unanswered"}')).toBe(false)
})
