/** The forwarder over an hour or a day, in no time. */
import { expect, test } from 'vitest'
import { Callbacks } from '../../../src/lib/callback/callbacks.ts'
import { backoff, Forwarder, type ForwardNews, type TargetNews } from '../../../src/lib/callback/forwarder.ts'
import type { Delivery } from '../../../src/lib/http/transport.ts'
import { type CallbackTables, callbackSchema } from '../../../src/lib/store/callback-schema.ts'
import { memoryStore } from '../../../src/lib/store/memory.ts'
import { hurriedClock, impatient } from '../../kit/hurried.ts'
import { until } from '../../kit/until.ts'

const target = 'http://127.0.0.1:1/hook'
const day = 24 * 60 * 60 * 1000
const answered = (status: number): Delivery => ({
  kind: 'answered',
  answer: { status, headers: {}, body: '' },
  milliseconds: 1,
})
const unsent: Delivery = { kind: 'unsent', why: 'ECONNREFUSED' }

async function scene(answer: (body: string, now: number) => Delivery, bodies: readonly string[]) {
  const clock = hurriedClock(Date.parse('2026-11-20T09:00:00Z'))
  const callbacks = new Callbacks(await memoryStore<CallbackTables>(callbackSchema), clock, impatient)
  const raw = bodies.map((body) => ({
    ...{ receivedAt: clock.now(), remote: 'x', method: 'POST', target: '/', headers: [], body: Buffer.from(body) },
  }))
  const ids = await callbacks.receive(raw, { profile: null, target })
  const stop = new AbortController()
  const sent: { body: string; at: number }[] = []
  const news: ForwardNews[] = []
  const targets: TargetNews[] = []
  const started = clock.now()
  const forwarder = new Forwarder(callbacks, {
    ...{ target, clock, random: { ...impatient, fraction: () => 1 }, signal: stop.signal },
    keys: [],
    limits: { connectTimeout: 1, answerTimeout: 1 },
    relay: async (_address, { body }) => {
      const text = Buffer.from(body).toString()
      sent.push({ body: text, at: clock.now() - started })
      return answer(text, clock.now() - started)
    },
    onForwarded: async (each) => void news.push(each),
    onTarget: async (each) => void targets.push(each),
  })
  const run = forwarder.run()
  const settled = async () => (await callbacks.list({})).every(({ forward }) => forward !== 'pending')
  const end = async () => {
    await until('nothing is pending', settled)
    stop.abort()
    await run
    return { sent, news, targets, states: (await callbacks.list({ oldestFirst: true })).map(({ forward }) => forward) }
  }
  return { callbacks, clock, ids, end }
}

test('the pauses double from half a second to half a minute, between a half and the whole of it', () => {
  const pauses = (fraction: number) =>
    [1, 2, 3, 7, 8, 9999].map((tries) => backoff(tries, { fraction: () => fraction }))
  expect(pauses(1)).toEqual([500, 1000, 2000, 30_000, 30_000, 30_000])
  expect(pauses(0)).toEqual([250, 500, 1000, 15_000, 15_000, 15_000])
})

test('a target that is gone for a minute: only the first is tried, then all go, in their order', async () => {
  const { end } = await scene((_, now) => (now < 60_000 ? unsent : answered(200)), ['a', 'b', 'c'])
  const { sent, targets, states } = await end()
  const bodies = sent.map(({ body }) => body)
  expect(bodies.filter((body) => body !== 'a')).toEqual(['b', 'c'])
  expect(bodies.at(-3)).toBe('a')
  expect(targets).toMatchObject([
    { state: 'down', waiting: 3, why: 'ECONNREFUSED' },
    { state: 'back', waiting: 2 },
  ])
  expect(states).toEqual(['delivered', 'delivered', 'delivered'])
})

test('after a day each is given up, not before, and it is told', async () => {
  const { end } = await scene(() => unsent, ['a', 'b'])
  const { sent, news, states } = await end()
  expect(states).toEqual(['given-up', 'given-up'])
  expect(sent.at(-1)?.at).toBeGreaterThanOrEqual(day)
  expect(sent.at(-1)?.at).toBeLessThan(day + 120_000)
  expect(news.filter(({ again }) => again === null)).toHaveLength(2)
})

test('what one answer refuses does not hold up the others', async () => {
  const { end } = await scene((body, now) => answered(body === 'a' && now < 600_000 ? 500 : 200), ['a', 'b'])
  const { sent, targets, states } = await end()
  expect(sent[1]?.body).toBe('b')
  expect(sent.filter(({ body }) => body === 'b')).toHaveLength(1)
  expect(targets).toEqual([])
  expect(states).toEqual(['delivered', 'delivered'])
})
