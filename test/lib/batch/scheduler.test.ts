import { expect, test } from 'vitest'
import { type RateLimit, RateLimiter } from '../../../src/lib/batch/rate-limiter.ts'
import { CircuitBreaker, ConcurrencyLimiter, EventLoopTurns, Scheduler } from '../../../src/lib/batch/scheduler.ts'
import type { Clock } from '../../../src/lib/edge.ts'
import { Failure } from '../../../src/lib/failure.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { gate } from '../../kit/tools.ts'

const never = new AbortController().signal
const notCalledOff = () => false
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A run whose clock stands unless it is moved, and work that ends when the test says so. */
function run(count: number, rate?: RateLimit, turns: EventLoopTurns | null = null) {
  let now = 0
  const clock: Clock = {
    now: () => now,
    steady: () => ({ boot: 'by hand', milliseconds: now }),
    sleep: async (milliseconds) => {
      now += milliseconds
    },
  }
  const limiter = new ConcurrencyLimiter(count, turns)
  const scheduler = new Scheduler(limiter, rate ?? new RateLimiter(clock, null), clock, never, never)
  const left: string[] = []
  const ends = new Map<string, { resolve: (value: string) => void; reject: (error: Error) => void }>()
  const work = (name: string) => () => {
    left.push(name)
    return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }))
  }
  const send = async (name: string) => {
    const place = await scheduler.slot()
    return place.within(work(name), notCalledOff).then((answer) => [answer, place.waited])
  }
  return {
    clock,
    scheduler,
    left,
    send,
    work,
    skip: (milliseconds: number) => {
      now += milliseconds
    },
    give: (name: string) => ends.get(name)?.resolve(`answer ${name}`),
    fail: (name: string) => ends.get(name)?.reject(new Error('defect')),
  }
}

test('so many requests are on their way at once, the others in their order', async () => {
  const { send, left, give, fail } = run(2)
  const all = ['a', 'b', 'c', 'd'].map(send)
  await settled()
  expect(left).toEqual(['a', 'b'])
  give('b')
  await settled()
  expect(left).toEqual(['a', 'b', 'c'])
  fail('a')
  await expect(all[0]).rejects.toThrow('defect')
  await settled()
  expect(left).toEqual(['a', 'b', 'c', 'd'])
  give('c')
  give('d')
  expect(await Promise.all(all.slice(1))).toEqual([
    ['answer b', 0],
    ['answer c', 0],
    ['answer d', 0],
  ])
})

test('a row knows the time that it has waited, and the time at the service is none of it', async () => {
  const { send, skip, give } = run(1)
  const all = ['a', 'b', 'c'].map(send)
  await settled()
  for (const name of ['a', 'b', 'c']) {
    skip(1_500)
    give(name)
    await settled()
  }
  const waited = await Promise.all(all)
  expect(waited.map(([, milliseconds]) => milliseconds)).toEqual([0, 1_500, 1_500])
})

test('not more rows are opened ahead than one round fills', async () => {
  const { scheduler, work, give } = run(2)
  const places = Array.from({ length: 9 }, () => scheduler.slot())
  const opened = async () => {
    await settled()
    const states = await Promise.all(
      places.map((place) => Promise.race([place.then(() => 1), settled().then(() => 0)])),
    )
    return states.filter((state) => state === 1).length
  }
  expect(await opened()).toBe(2)
  const [first, second] = await Promise.all(places.slice(0, 2))
  const answered = first?.within(work('a'), notCalledOff)
  expect(await opened()).toBe(3)
  // It goes back to the service, and is not counted again.
  give('a')
  await answered
  void first?.within(work('a again'), notCalledOff)
  first?.end()
  expect(await opened()).toBe(3)
  // One that ended without leaving.
  second?.end()
  second?.end()
  expect(await opened()).toBe(4)
})

test('at a rate no more rows are opened ahead than leave in a quarter of a second', () => {
  expect([1, 10, 50].map((rate) => new RateLimiter(hurriedClock(), rate).mostAhead)).toEqual([1, 3, 13])
})

test('a lane that is free is held until requests may leave', async () => {
  const { opened, open } = gate()
  const nothing = () => undefined
  const rate = { mostAhead: 9, pausedFor: 0, mayLeave: async () => undefined, resumed: () => opened, left: nothing }
  const { send, left, give } = run(1, rate)
  const first = send('a')
  await settled()
  expect(left).toEqual([])
  open()
  await settled()
  give('a')
  expect(await first).toEqual(['answer a', 0])
})

test('a lane goes over to the next request before the answer of the first is read', async () => {
  const { scheduler, left, work, give } = run(2, undefined, new EventLoopTurns())
  const [one, two, three] = [await scheduler.slot(), await scheduler.slot(), scheduler.slot()]
  void two.within(work('b'), notCalledOff)
  const first = one.within(work('a'), notCalledOff)
  await settled()
  await settled()
  const third = (await three).within(work('c'), notCalledOff)
  await settled()
  expect(left).toEqual(['b', 'a'])
  give('a')
  expect(await first).toBe('answer a')
  expect(left).toEqual(['b', 'a', 'c'])
  give('c')
  expect(await third).toBe('answer c')
})

test('an answer is read before rows that wait to be opened', async () => {
  const turns = new EventLoopTurns()
  const { send, give } = run(1, undefined, turns)
  const order: string[] = []
  const first = send('a').then(() => order.push('answer'))
  await settled()
  await settled()
  const opened = [1, 2, 3].map((row) => turns.own().then(() => order.push(`row ${row}`)))
  give('a')
  await Promise.all([first, ...opened])
  expect(order).toEqual(['row 1', 'answer', 'row 2', 'row 3'])
})

test('each piece has a round of the event loop of its own, first come, first served', async () => {
  const turns = new EventLoopTurns()
  const order: string[] = []
  const piece = (name: string) => turns.own().then(() => order.push(name))
  const pieces = ['first', 'second', 'third'].map(piece)
  // What comes from outside is seen to between two turns.
  const outside = () => new Promise<void>((resolve) => setImmediate(() => resolve(void order.push('outside'))))
  await outside()
  await outside()
  await Promise.all(pieces)
  expect(order).toEqual(['first', 'outside', 'second', 'outside', 'third'])
})

test('what comes soon waits for none of them', async () => {
  const turns = new EventLoopTurns()
  const order: string[] = []
  const pieces = ['first', 'second', 'third'].map((name) => turns.own().then(() => order.push(name)))
  await turns.next()
  order.push('soon')
  await Promise.all(pieces)
  expect(order).toEqual(['first', 'soon', 'second', 'third'])
})

const noAnswer = new Failure('unknown', 'no answer')
const noNetwork = new Failure('unsent', 'the service could not be reached', { operation: 'payout.create' })
const elsewhere = new Failure('locked', 'another run has this payment in flight (office/1)')

/** Nine rows without an answer: one more is too many. */
function afterNine(): CircuitBreaker {
  const breaker = new CircuitBreaker()
  for (let row = 0; row < 4; row += 1) breaker.add({})
  for (let row = 4; row < 9; row += 1) breaker.over({}, 'unknown', noAnswer)
  return breaker
}

test.each([
  ['accepted', null],
  ['refused', new Failure('refused', 'no')],
  ['turned-away', new Failure('refused', 'busy')],
] as const)('a row that is %s shows that there are answers', (state, failure) => {
  const breaker = afterNine()
  breaker.over({}, state, failure)
  for (let row = 0; row < 9; row += 1) breaker.over({}, 'unknown', noAnswer)
  expect(breaker.isOpen).toBe(false)
})

test('a row that did not leave this machine is no answer', () => {
  const breaker = afterNine()
  breaker.over({}, 'unsent', noNetwork)
  expect(breaker.isOpen).toBe(true)
})

test('a row that another process has says nothing', () => {
  const breaker = afterNine()
  breaker.over({}, 'sending', elsewhere)
  breaker.over({}, 'unknown', elsewhere)
  expect(breaker.isOpen).toBe(false)
  breaker.over({}, 'unknown', noAnswer)
  expect(breaker.isOpen).toBe(true)
})
