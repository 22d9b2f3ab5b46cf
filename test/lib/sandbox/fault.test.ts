import { expect, test } from 'vitest'
import { type FaultKind, type FaultOrder, spoil } from '../../../src/lib/sandbox/fault.ts'
import type { HttpAnswer } from '../../../src/lib/wire/message.ts'
import { desk, fileSandbox, freshDirectory, memorySandbox } from './stand.ts'

const create: FaultOrder = { op: 'payout.create', at: 'after', kind: 'reset' }
const answer: HttpAnswer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }

test('a fault strikes the next matching request, once, unless told otherwise', async () => {
  const { faults } = await memorySandbox()
  const added = await faults.add(create)
  expect(added).toEqual({ ...create, id: '1', nth: 1, times: 1 })
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

test('a fault of no operation, or one that never strikes, is refused', async () => {
  const { faults } = await memorySandbox()
  await expect(faults.add({ ...create, op: 'payout.delete' })).rejects.toThrow('payout.delete')
  await expect(faults.add({ ...create, nth: 0 })).rejects.toThrow('nth')
  await expect(faults.add({ ...create, times: 1.5 })).rejects.toThrow('times')
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

const written: [FaultKind, number, string][] = [
  ['html502', 502, 'text/html; charset=utf-8'],
  ['json500', 500, 'application/json'],
  ['garbage', 200, 'application/json'],
  ['401', 401, 'application/json'],
  ['429', 429, 'application/json'],
]

for (const [kind, status, type] of written) {
  test(`${kind} puts another answer in the place of the true one`, () => {
    for (const given of [answer, null]) {
      const end = spoil(kind, given, 'documented')
      if (end.kind !== 'answered') throw new Error('broken')
      expect([end.answer.status, end.answer.headers['content-type']]).toEqual([status, type])
      expect(end.answer.body).not.toContain(answer.body)
    }
  })
}

test('each false answer says what it is told to', () => {
  const body = (kind: FaultKind) => {
    const end = spoil(kind, answer, 'documented')
    return end.kind === 'answered' ? end.answer : answer
  }
  expect(JSON.parse(body('json500').body)).toEqual({ message: 'General failure', statusCode: 5040 })
  expect(JSON.parse(body('401').body).statusCode).toBe(5021)
  expect(body('429').headers['retry-after']).toBe('1')
  expect(() => JSON.parse(body('garbage').body)).toThrow()
})

test('areas B to D have a general failure of their own, and a 401 without a code', () => {
  for (const area of ['B', 'C', 'D'] as const) {
    const [failure, stranger] = (['json500', '401'] as const).map((kind) => spoil(kind, answer, 'documented', area))
    expect(failure).toMatchObject({ answer: { status: 500 } })
    expect(JSON.parse(failure?.kind === 'answered' ? failure.answer.body : '')).toEqual({
      ...{ message: 'General failure', statusCode: 6054, exceptionGroup: 6 },
    })
    expect(stranger).toEqual({
      kind: 'answered',
      answer: { status: 401, headers: { 'content-type': 'application/json' }, body: '{"message":"Unauthorized"}' },
    })
  }
})

test('every operation meets its fault: after it is executed, the answer is spoiled', async () => {
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

test('reset, hang and truncate break the connection; a truncated one keeps the true answer, or a made-up one', () => {
  expect(spoil('reset', answer, 'documented')).toEqual({ kind: 'broken', how: 'reset' })
  expect(spoil('hang', null, 'documented')).toEqual({ kind: 'broken', how: 'hang' })
  expect(spoil('truncate', answer, 'documented')).toEqual({ kind: 'broken', how: 'truncate', answer })
  expect(spoil('truncate', null, 'documented')).toMatchObject({ how: 'truncate', answer: { status: 200 } })
})
