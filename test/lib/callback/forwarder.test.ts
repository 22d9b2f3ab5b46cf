/** The forwarder over an hour or a day, in no time. */
import { expect, test } from 'vitest'
import { CallbackStore } from '../../../src/lib/callback/callbacks.ts'
import { Forwarder, type ForwardNews, forwardPause, type TargetNews } from '../../../src/lib/callback/forwarder.ts'
import type { Transmission } from '../../../src/lib/http/client.ts'
import { type CallbackTables, callbackSchema } from '../../../src/lib/store/callbacks.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { memoryStore } from '../../kit/store.ts'
import { until } from '../../kit/tools.ts'

const target = 'http://127.0.0.1:1/hook'
const day = 24 * 60 * 60 * 1000
const answered = (status: number): Transmission => ({
  kind: 'answered',
  answer: { status, headers: {}, body: '' },
  milliseconds: 1,
})
const unanswered: Transmission = { kind: 'unanswered', why: 'other side closed' }
const unsent: Transmission = { kind: 'unsent', why: 'ECONNREFUSED' }

async function scene(
  answer: (body: string, now: number) => Transmission | Promise<Transmission>,
  bodies: readonly string[],
) {
  const clock = hurriedClock(Date.parse('2026-11-20T09:00:00Z'))
  const callbacks = new CallbackStore(await memoryStore<CallbackTables>(callbackSchema), clock, impatient, () => null)
  const raw = bodies.map((body) => ({
    ...{ receivedAt: clock.now(), remote: 'x', method: 'POST', target: '/', headers: [], body: Buffer.from(body) },
  }))
  for (const each of raw) await callbacks.receive(each, { profile: null, target, mark: 'm' })
  const stop = new AbortController()
  const sent: { body: string; at: number }[] = []
  const news: ForwardNews[] = []
  const targets: TargetNews[] = []
  const started = clock.now()
  const forwarder = new Forwarder(callbacks, {
    ...{ target, clock, random: { ...impatient, fraction: () => 1 }, signal: stop.signal },
    keys: [],
    mark: 'm',
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
  /** One more, from inside an answer: this clock does not wait. */
  const more = async (body: string) => {
    const late = { receivedAt: clock.now(), remote: 'x', method: 'POST', target: '/', headers: [] }
    await callbacks.receive({ ...late, body: Buffer.from(body) }, { profile: null, target, mark: 'm' })
    return clock.now() - started
  }
  return { clock, more, end }
}

test('the pauses double from half a second to half a minute, between a half and the whole of it', () => {
  const pauses = (fraction: number) =>
    [1, 2, 3, 7, 8, 9999].map((tries) => forwardPause(tries, { fraction: () => fraction }))
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

test('one that the target hangs up on waits by itself: the others go on at once; alone for ten tries it says that the target is down', async () => {
  const { end } = await scene(
    (body, now) => (body === 'b' && now < 600_000 ? unanswered : answered(200)),
    [...['a', 'b', 'c', 'd']],
  )
  const { sent, news, targets, states } = await end()
  expect(sent.slice(0, 4).map(({ body, at }) => [body, at < 500])).toEqual([
    ['a', true],
    ['b', true],
    ['c', true],
    ['d', true],
  ])
  expect(targets).toMatchObject([{ state: 'down', waiting: 1 }, { state: 'back' }])
  // Doubling to half a minute: 7 tries in the first half minute, 18 to the tenth.
  const tries = news.filter(({ outcome }) => outcome === 'unanswered')
  expect(tries.slice(0, 7).map(({ again }) => again)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000])
  expect(tries.length).toBeLessThan(30)
  expect(states).toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
})

test('between refusals it keeps its own pace, without news of a target that is there', async () => {
  const { end } = await scene(
    (body, now) => (now > 600_000 ? answered(200) : body === 'b' ? unanswered : answered(503)),
    [...['a', 'b', 'c']],
  )
  const { sent, targets } = await end()
  expect(sent.filter(({ body, at }) => body === 'b' && at < 35_000).length).toBeLessThan(9)
  expect(targets).toEqual([])
})

test('many that hang for half a minute each do not keep a new one waiting longer than one of them', async () => {
  const poisons = Array.from({ length: 8 }, (_, at) => `poison-${at}`)
  let [tried, came] = [0, 0]
  const { clock, more, end } = await scene(async (body, now) => {
    tried += 1
    if (tried === 24) came = await more('fine')
    if (body === 'fine' || now > 3_600_000) return answered(200)
    clock.skip(30_000)
    return unanswered
  }, poisons)
  const { sent } = await end()
  const fine = sent.find(({ body }) => body === 'fine')
  expect(came).toBeGreaterThan(0)
  // The one that was under way, and the pause of a target that never answers.
  expect((fine?.at ?? 0) - came).toBeLessThan(35_000)
})

test('a target that takes connections and never answers is told as down, once, and is not hammered', async () => {
  const bodies = Array.from({ length: 50 }, (_, at) => `${at}`)
  const { end } = await scene((_, now) => (now < 600_000 ? unanswered : answered(200)), bodies)
  const { sent, targets, states } = await end()
  expect(targets).toMatchObject([
    { state: 'down', why: 'other side closed', waiting: 50 },
    { state: 'back', waiting: 49 },
  ])
  const early = sent.filter(({ at }) => at < 600_000)
  // One every two seconds at most, and each has its turn.
  expect(early.length).toBeLessThan(310)
  expect(new Set(early.map(({ body }) => body)).size).toBe(50)
  expect(new Set(states)).toEqual(new Set(['delivered']))
})

test('a single one that is never answered says that the target is down; others that are answered take it back for good', async () => {
  let tried = 0
  const { more, end } = await scene(
    async (body, now) => {
      tried += 1
      if (tried % 10 === 0 && now < 3_600_000) await more(`fine-${tried}`)
      return body === 'poison' && now < 3_600_000 ? unanswered : answered(200)
    },
    ['poison'],
  )
  const { sent, targets } = await end()
  expect(sent.filter(({ body }) => body !== 'poison').length).toBeGreaterThan(5)
  expect(targets.map(({ state }) => state)).toEqual(['down', 'back'])
})

test('a target that answers one in the middle and then none is down again, and is not hammered', async () => {
  const bodies = Array.from({ length: 300 }, (_, at) => `${at}`)
  let tried = 0
  const { end } = await scene(async (_, now) => {
    tried += 1
    return tried === 310 || now >= 3_600_000 ? answered(200) : unanswered
  }, bodies)
  const { sent, targets } = await end()
  expect(targets).toMatchObject([
    { state: 'down', waiting: 300 },
    { state: 'back', waiting: 299 },
    { state: 'down', waiting: 299 },
    { state: 'back', waiting: 298 },
  ])
  const answeredAt = sent[309]?.at ?? 0
  expect(sent.filter(({ at }) => at > answeredAt && at < answeredAt + 60_000).length).toBeLessThan(40)
})

test('a handful that is never answered does not call the target down, while others are answered now and then', async () => {
  const poisons = Array.from({ length: 5 }, (_, at) => `poison-${at}`)
  let tried = 0
  const { more, end } = await scene(async (body, now) => {
    tried += 1
    if (tried % 5 === 0 && now < 3_600_000) await more(`fine-${tried}`)
    return body.startsWith('poison') && now < 3_600_000 ? unanswered : answered(200)
  }, poisons)
  const { sent, targets } = await end()
  expect(sent.filter(({ body }) => body.startsWith('fine')).length).toBeGreaterThan(50)
  expect(targets).toEqual([])
})

test('many that it refuses, or refuses and hangs up on in turn, come a few a second', async () => {
  for (const answers of [[answered(503)], [answered(503), unanswered]]) {
    const bodies = Array.from({ length: 300 }, (_, at) => `${at}`)
    let tried = 0
    const { end } = await scene((_, now) => {
      tried += 1
      return now < 600_000 ? (answers[tried % answers.length] ?? unanswered) : answered(200)
    }, bodies)
    const { sent, targets, states } = await end()
    expect(sent.filter(({ at }) => at < 10_000).length).toBeLessThan(40)
    expect(new Set(sent.filter(({ at }) => at < 600_000).map(({ body }) => body)).size).toBe(300)
    expect(targets).toEqual([])
    expect(new Set(states)).toEqual(new Set(['delivered']))
    // The callbacks that it takes go as fast as ever.
    expect((sent.at(-1)?.at ?? 0) - 600_000).toBeLessThan(32_000)
  }
})
