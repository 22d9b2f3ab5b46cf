import { expect, test } from 'vitest'
import { Inbox } from '../../../src/lib/callback/listen.ts'
import type { RawCallback } from '../../../src/lib/callback/raw.ts'

const raw = (body: string): RawCallback => ({
  ...{ receivedAt: 0, remote: '', method: 'POST', target: '/', headers: [] },
  body: Buffer.from(body),
})

test('callbacks that arrive together are committed together, each answer has its own id, no batch is too large', async () => {
  const batches: number[] = []
  const inbox = new Inbox(async (batch) => {
    batches.push(batch.length)
    await new Promise(setImmediate)
    return batch.map(({ body }) => `id of ${body}`)
  })
  const ids = await Promise.all(Array.from({ length: 200 }, (_, at) => inbox.take(raw(String(at)))))
  expect(ids).toEqual(Array.from({ length: 200 }, (_, at) => `id of ${at}`))
  expect(batches).toEqual([64, 64, 64, 8])
  expect(await inbox.take(raw('later'))).toBe('id of later')
})

test('a commit that fails is told to those whose it was; the next ones are stored', async () => {
  let count = 0
  const inbox = new Inbox(async (batch) => {
    count += 1
    if (count === 1) throw new Error('the disk is full')
    return batch.map(() => 'stored')
  })
  const first = await Promise.allSettled(Array.from({ length: 65 }, () => inbox.take(raw(''))))
  expect(first.filter(({ status }) => status === 'rejected')).toHaveLength(64)
  expect(await inbox.take(raw(''))).toBe('stored')
})
