/** Connections that end at the worst moment, and a server that is killed. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import type { Store } from '../../../../src/lib/store/engine/store.ts'
import { openTeamStore } from '../../../../src/lib/store/postgres/open.ts'
import { type Notes, notesIn, notesSchema, write } from '../../../kit/notes.ts'
import { cutWay, ownPostgresServer } from '../../../kit/postgres.ts'
import { until } from '../../../kit/tools.ts'

// Nothing reaches the disk but what a commit takes there.
const server = ownPostgresServer({ wal_writer_delay: '10s' })

async function opened(address: string): Promise<Store<Notes>> {
  const store = await openTeamStore<Notes>(address, notesSchema, { machine: realClock })
  onTestFinished(() => store.close())
  return store
}

// The end of a text is a zero byte: `commits` is a column.
const commit = 'commit\u0000'

describe('a connection that is cut', () => {
  test.each([
    ['the commit', commit, 'before-its-answer', 1],
    ['the commit', commit, 'before-it-arrives', 2],
    ['a row', 'insert into', 'before-its-answer', 2],
    ['a row', 'insert into', 'before-it-arrives', 2],
    ['the lock', 'for update', 'before-its-answer', 1],
    ['the beginning', 'begin', 'before-its-answer', 1],
  ] as const)('at %s leaves what was written there once', async (_, text, when, tries) => {
    const address = await server.newAddress()
    const way = await cutWay(server.port)
    const store = await opened(address.replace(`:${server.port}/`, `:${way.port}/`))
    await write(store, 'first')
    let tried = 0
    way.next(text, when)
    const told = await store.write(async (db) => {
      tried += 1
      await db.insertInto('notes').values({ text: 'once' }).execute()
      return tried
    })
    // Told is the try that stands, and none that was undone.
    expect([way.cuts(), tried, told]).toEqual([1, tries, tries])
    expect(await notesIn(store)).toEqual(['first', 'once'])
  })

  test('while it rests is replaced', async () => {
    const address = await server.newAddress()
    const store = await opened(address)
    await write(store, 'first')
    await server.run(
      address,
      "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
    )
    await write(store, 'second')
    expect(await notesIn(store)).toEqual(['first', 'second'])
  })
})

test('a server that is killed in the middle of many writes has each of them once when it is there again', async () => {
  const address = await server.newAddress()
  const stores = [await opened(address), await opened(address)]
  const added: string[] = []
  let isOver = false
  const writing = stores.map(async (store, of) => {
    for (let at = 0; !isOver; at += 1) {
      await Promise.all(
        [1, 2, 3].map(async (each) => {
          const text = `${of}-${at}-${each}`
          await write(store, text)
          added.push(text)
        }),
      )
    }
  })
  for (let crash = 0; crash < 2; crash += 1) {
    const before = added.length
    while (added.length < before + 30) await new Promise((resolve) => setTimeout(resolve, 5))
    await server.crash()
  }
  isOver = true
  await Promise.all(writing)
  expect(await notesIn(stores[0] as Store<Notes>)).toEqual(added.toSorted())
})

test('a transaction that died with its server before its commit arrived is made once more', async () => {
  const address = await server.newAddress()
  const way = await cutWay(server.port)
  const store = await opened(address.replace(`:${server.port}/`, `:${way.port}/`))
  const other = await opened(address)
  await write(store, 'first')
  let tries = 0
  way.next(commit, 'held-back')
  const writing = store.write(async (db) => {
    tries += 1
    await db.insertInto('notes').values({ text: 'once' }).execute()
  })
  await until('the commit is held back', () => way.cuts() === 1)
  await server.crash()
  await write(other, 'meanwhile')
  await way.open()
  await writing
  expect(tries).toBe(2)
  expect(await notesIn(store)).toEqual(['first', 'meanwhile', 'once'])
})

test('a server that goes away for longer than the patience lasts is told (11), and nothing was sent', async () => {
  const address = await server.newAddress()
  const way = await cutWay(server.port)
  const throughIt = address.replace(`:${server.port}/`, `:${way.port}/`)
  const store = await openTeamStore<Notes>(throughIt, notesSchema, { machine: realClock, patience: 200 })
  onTestFinished(() => store.close())
  way.close()
  const told = {
    kind: 'unsent',
    message: expect.stringMatching(
      /^the notebook 127\.0\.0\.1:\d+\/postgres cannot be written: .*ECONNREFUSED.*; nothing was sent$/,
    ),
  }
  await expect(write(store, 'never')).rejects.toMatchObject(told)
  const opening = openTeamStore<Notes>(throughIt, notesSchema, { machine: realClock, patience: 200 })
  await expect(opening).rejects.toMatchObject(told)
  expect(await notesIn(await opened(address))).toEqual([])
})
