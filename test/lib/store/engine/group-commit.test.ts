import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'
import { commitsOf, notesIn, openNotes, write } from '../../../kit/store/notes.ts'

function place(): string {
  const directory = temporaryDirectory('store')
  return join(directory, 'notes.db')
}

const shared = { sharesCommits: true } as const

test('writes that wait at the same time are durable with one commit; alone each has its own', async () => {
  const path = place()
  const store = await openNotes(path, shared)
  await Promise.all(['a', 'b', 'c'].map((text) => write(store, text)))
  expect([await notesIn(store), await commitsOf(store)]).toEqual([['a', 'b', 'c'], 1])
  await write(store, 'd')
  expect([await commitsOf(store), statSync(`${path}-mark`).size]).toEqual([2, 2])
  // Another connection sees what was told.
  expect(await notesIn(await openNotes(path))).toHaveLength(4)
})

test('each sees what those before it wrote, and one that fails is undone alone', async () => {
  const store = await openNotes(place(), shared)
  const count = () =>
    store.write(async (db) => {
      await db.insertInto('notes').values({ text: 'counted' }).execute()
      return (await db.selectFrom('notes').select('text').execute()).length
    })
  const failing = store.write(async (db) => {
    await db.insertInto('notes').values({ text: 'undone' }).execute()
    throw new Error('changed my mind')
  })
  const outcomes = await Promise.allSettled([count(), failing, count(), count()])
  expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    ...[1, 'changed my mind', 2, 3],
  ])
  expect(await notesIn(store)).toEqual(['counted', 'counted', 'counted'])
})

test('one that fails alone commits nothing', async () => {
  const store = await openNotes(place(), shared)
  await expect(store.write(async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await commitsOf(store)).toBe(0)
  await write(store, 'after')
  expect(await commitsOf(store)).toBe(1)
})

test('a disk that fills up in the middle: every writer is told, and none has written', async () => {
  const path = place()
  const before = await openNotes(path)
  await write(before, 'first')
  await before.close()
  const store = await openNotes(path, { ...shared, maxPages: Math.ceil(statSync(path).size / 4096) })
  const outcomes = await Promise.allSettled([write(store, 'a'), write(store, 'x'.repeat(100_000)), write(store, 'b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  for (const each of outcomes) if (each.status === 'rejected') expect(each.reason.kind).toBe('unsent')
  expect([await notesIn(store), await commitsOf(store)]).toEqual([['first'], 1])
})

test('many rounds of many, by two connections of one process, lose and double nothing', async () => {
  const path = place()
  const stores = [await openNotes(path, shared), await openNotes(path, shared)]
  const texts = Array.from({ length: 200 }, (_, at) => `note ${String(at).padStart(3, '0')}`)
  await Promise.all(texts.map((text, at) => write(stores[at % 2] as (typeof stores)[0], text)))
  const [one] = stores
  if (!one) throw new Error('no store')
  expect(await notesIn(one)).toEqual(texts)
  expect(statSync(`${path}-mark`).size).toBe(await commitsOf(one))
})
