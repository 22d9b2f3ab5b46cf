import { expect, test } from 'vitest'
import { type Notes, notesIn, notesSchema, write } from '../../kit/notes.ts'
import { memoryStore } from '../../kit/store.ts'

test('a store in memory has the schema and keeps what is committed, and nothing else', async () => {
  const store = await memoryStore<Notes>(notesSchema)
  await write(store, 'kept')
  const failing = store.write(async (db) => {
    await db.insertInto('notes').values({ text: 'lost' }).execute()
    throw new Error('spilled ink')
  })
  await expect(failing).rejects.toThrow('spilled ink')
  expect(await notesIn(store)).toEqual(['kept'])
  const other = await memoryStore<Notes>(notesSchema)
  expect(await notesIn(other)).toEqual([])
  await store.close()
  await other.close()
})

test('transactions that are asked for at once follow one another', async () => {
  const store = await memoryStore<Notes>(notesSchema)
  let inside = 0
  let most = 0
  const work = (text: string) =>
    store.write(async (db) => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((resolve) => setImmediate(resolve))
      await db.insertInto('notes').values({ text }).execute()
      inside -= 1
    })
  await Promise.all(['a', 'b', 'c', 'd'].map(work))
  expect(most).toBe(1)
  expect(await notesIn(store)).toEqual(['a', 'b', 'c', 'd'])
  await store.close()
})
