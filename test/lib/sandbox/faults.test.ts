import { expect, test } from 'vitest'
import type { HttpAnswer } from '../../../src/lib/http/message.ts'
import { type FaultOrder, injectFault, largestSeed, nthDraw } from '../../../src/lib/sandbox/faults.ts'
import type { Sandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { desk, fileSandbox, freshDirectory, memorySandbox } from '../../kit/sandbox/stand.ts'

const create: FaultOrder = { op: 'payout.create', at: 'after', kind: 'reset' }
const usual = { perMille: null, seed: null, draws: 0, delay: null, above: null }

test('a fault strikes the next matching request, once, unless told otherwise', async () => {
  const { faults } = await memorySandbox()
  const added = await faults.add(create)
  expect(added).toEqual({ ...create, ...usual, id: '1', nth: 1, times: 1 })
  expect(await faults.take('payout.get')).toBeNull()
  expect(await faults.take('payout.create')).toMatchObject(create)
  expect(await faults.take('payout.create')).toBeNull()
  expect(await faults.list()).toEqual([])
})

test('a fault may wait for the nth request and strike several in a row', async () => {
  const { faults } = await memorySandbox()
  await faults.add({ ...create, nth: 3, times: 2 })
  const struck = []
  for (let request = 0; request < 6; request += 1) struck.push((await faults.take('payout.create')) !== null)
  expect(struck).toEqual([false, false, true, true, false, false])
})

test('two faults of one operation strike one after the other, the older first', async () => {
  const { faults } = await memorySandbox()
  await faults.add({ ...create, kind: 'hang' })
  await faults.add({ ...create, kind: '401' })
  await faults.add({ ...create, kind: '429', nth: 4 })
  const kinds = []
  for (let request = 0; request < 5; request += 1) kinds.push((await faults.take('payout.create'))?.kind ?? null)
  expect(kinds).toEqual(['hang', '401', null, '429', null])
})

test('faults are cleared one by one or all at once, and a reset takes them away', async () => {
  const sandbox = await memorySandbox()
  const one = await sandbox.faults.add(create)
  await sandbox.faults.add(create)
  expect(await sandbox.faults.clear(one.id)).toBe(1)
  expect(await sandbox.faults.clear(one.id)).toBe(0)
  expect(await sandbox.faults.clear('no number')).toBe(0)
  expect(await sandbox.faults.clear()).toBe(1)
  await sandbox.faults.add(create)
  await sandbox.reset()
  expect(await sandbox.faults.list()).toEqual([])
})

test('a slow one takes three seconds, unless told otherwise', async () => {
  const { faults } = await memorySandbox()
  expect(await faults.add({ ...create, kind: 'slow' })).toMatchObject({ delay: 3000 })
  expect(await faults.add({ ...create, kind: 'slow', delay: 40 })).toMatchObject({ delay: 40 })
})

test('a fault may be ordered for all of one object, or for everything', async () => {
  const { faults } = await memorySandbox()
  await faults.add({ ...create, op: 'order.*', kind: 'hang' })
  await faults.add({ ...create, op: '*', kind: '429' })
  const kinds = []
  for (const operation of ['payout.create', 'order.create', 'order.status'])
    kinds.push((await faults.take(operation))?.kind ?? null)
  expect(kinds).toEqual(['429', 'hang', null])
})

/** The numbers of the requests that a fault by chance strikes. */
async function struck(faults: Sandbox['faults'], requests: number): Promise<number[]> {
  const hits: number[] = []
  for (let at = 0; at < requests; at += 1) if (await faults.take('payout.create')) hits.push(at)
  return hits
}

test('by chance a fault strikes the same requests for the same seed, in any process, and stays', async () => {
  const directory = freshDirectory()
  const [one, other, third] = [await fileSandbox(directory), await fileSandbox(directory), await memorySandbox()]
  await third.faults.add({ ...create, perMille: 250, seed: 7 })
  const hits = await struck(third.faults, 60)
  expect(hits.slice(0, 8)).toEqual([0, 1, 7, 11, 14, 20, 22, 23])
  await one.faults.add({ ...create, perMille: 250, seed: 7 })
  const first = await struck(one.faults, 30)
  expect([...first, ...(await struck(other.faults, 30)).map((at) => at + 30)]).toEqual(hits)
  expect(await one.faults.list()).toMatchObject([{ perMille: 250, seed: 7, draws: 60, nth: null, times: null }])
})

test('a draw is made for every request that is meant, whichever fault strikes it', async () => {
  const { faults } = await memorySandbox()
  await faults.add({ ...create, kind: '429', times: 10 })
  await faults.add({ ...create, perMille: 1000 })
  for (let at = 0; at < 10; at += 1) expect((await faults.take('payout.create'))?.kind).toBe('429')
  expect((await faults.take('payout.create'))?.kind).toBe('reset')
  expect(await faults.take('payout.get')).toBeNull()
  expect(await faults.list()).toMatchObject([{ draws: 11 }])
})

test('a fault that one sandbox orders is taken by exactly one of many requests to another', async () => {
  const directory = freshDirectory()
  const one = await fileSandbox(directory)
  const other = await fileSandbox(directory)
  await one.faults.add({ ...create, times: 3 })
  const taken = await Promise.all(
    Array.from({ length: 10 }, (_, at) => (at % 2 ? one : other).faults.take('payout.create')),
  )
  expect(taken.filter((fault) => fault !== null)).toHaveLength(3)
})

test('every operation meets its fault: after it is executed, the answer is changed', async () => {
  const { sandbox, integrator, pay, entry } = await desk()
  const us = await integrator()
  const id = await us.created()
  await pay(id)
  await sandbox.faults.add({ op: 'order.refund', at: 'before', kind: 'json500' })
  expect(await us.refund(id, 5)).toMatchObject({ http: 500, code: 6054, group: 6 })
  expect(await us.status(id)).toBe('SUCCESS')
  await sandbox.faults.add({ op: 'order.refund', at: 'after', kind: '401' })
  expect(await us.refund(id, 5)).toMatchObject({ http: 401, code: null })
  expect(await us.status(id)).toBe('REFUND_REQUESTED')
  expect(await entry(id)).toMatchObject({ refunds: 1 })
  await sandbox.faults.add({ op: 'order.create', at: 'after', kind: 'html502' })
  const order = us.order()
  expect(await us.create(order)).toMatchObject({ http: 502 })
  expect(await us.create(order)).toMatchObject({ code: 6023 })
})

test('a rate lets so many pass in each window of the sandbox’s clock, and says when to come again', async () => {
  const sandbox = await memorySandbox()
  await sandbox.faults.add({ op: 'payout.create', at: 'before', kind: '429', above: '3/m' })
  const take = async () => (await sandbox.faults.take('payout.create'))?.retryAfter ?? null
  const seven = async () => [await take(), await take(), await take(), await take(), await take()]
  expect(await seven()).toEqual([null, null, null, 60, 60])
  await sandbox.moveClock((now) => now + 45_000)
  expect(await take()).toBe(15)
  await sandbox.moveClock((now) => now + 15_000)
  // What was turned away did not count, and the next window begins with this request.
  expect(await seven()).toEqual([null, null, null, 60, 60])
  expect(await sandbox.faults.take('payout.get')).toBeNull()
  expect(await sandbox.faults.list()).toMatchObject([{ above: '3/m', nth: null, times: null, perMille: null }])
})

test('a rate is the same for all processes', async () => {
  const directory = freshDirectory()
  const [one, other] = [await fileSandbox(directory), await fileSandbox(directory)]
  await one.faults.add({ op: '*', at: 'before', kind: '429', above: '2/h' })
  expect(await one.faults.take('payout.create')).toBeNull()
  expect(await other.faults.take('payout.get')).toBeNull()
  expect(await one.faults.take('payout.create')).toMatchObject({ kind: '429', retryAfter: expect.any(Number) })
  expect(await other.faults.take('order.create')).toMatchObject({ kind: '429' })
})

/** The generator as its author writes it: one draw after the other. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

test('draw n of a seed is the n-th of mulberry32, in whatever order it is asked for', () => {
  for (const seed of [0, 1, 7, 12345, largestSeed]) {
    const next = mulberry32(seed)
    const drawn = Array.from({ length: 500 }, next)
    expect(Array.from({ length: 500 }, (_, at) => nthDraw(seed, 499 - at)).toReversed()).toEqual(drawn)
  }
  expect([0, 1, 2].map((number) => nthDraw(7, number))).toEqual([
    0.011704753153026104, 0.06195825757458806, 0.97690763277933,
  ])
})

const answer: HttpAnswer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }

test('areas B to D have a general failure of their own, and a 401 without a code', () => {
  for (const area of ['B', 'C', 'D'] as const) {
    const [failure, unauthenticated] = (['json500', '401'] as const).map((kind) =>
      injectFault(kind, answer, 'documented', area),
    )
    expect(failure).toMatchObject({ answer: { status: 500 } })
    expect(JSON.parse(failure?.kind === 'answered' ? failure.answer.body : '')).toEqual({
      ...{ message: 'General failure', statusCode: 6054, exceptionGroup: 6 },
    })
    expect(unauthenticated).toEqual({
      kind: 'answered',
      answer: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"Unauthorized"}' },
    })
  }
})
