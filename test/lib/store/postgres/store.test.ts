import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import type { Migration, Schema, Store } from '../../../../src/lib/store/engine/store.ts'
import { openTeamStore } from '../../../../src/lib/store/postgres/open.ts'
import type { TeamSettings } from '../../../../src/lib/store/postgres/store.ts'
import { type Notes, notesIn, notesSchema, readTwice, write } from '../../../kit/notes.ts'
import { postgresServer } from '../../../kit/postgres.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'
import { until } from '../../../kit/tools.ts'

const server = postgresServer()

async function opened(address: string, settings: Partial<TeamSettings> = {}, schema: Schema = notesSchema) {
  const store = await openTeamStore<Notes>(address, schema, { machine: realClock, ...settings })
  onTestFinished(() => store.close())
  return store
}

test('what is committed is there, and what failed is not', async () => {
  const address = await server.newAddress()
  const store = await opened(address)
  await write(store, 'kept')
  const failing = store.write(async (db) => {
    await db.insertInto('notes').values({ text: 'lost' }).execute()
    throw new Error('spilled ink')
  })
  await expect(failing).rejects.toThrow('spilled ink')
  expect(await notesIn(await opened(address))).toEqual(['kept'])
})

test('statements of one text that fail in their own transaction leave no connection in it', async () => {
  const store = await opened(await server.newAddress())
  const failing = store.ask((db) => db.executeQuery(CompiledQuery.raw('begin; select 1 / 0; commit')))
  await expect(failing).rejects.toThrow('division by zero')
  await write(store, 'kept')
  const asked = Array.from({ length: 5 }, () => store.ask((db) => db.selectFrom('notes').select('text').execute()))
  expect(await Promise.all(asked)).toEqual(Array(5).fill([{ text: 'kept' }]))
})

test('twenty who open a new store at once make it once', async () => {
  const address = await server.newAddress()
  const stores = await Promise.all(Array.from({ length: 20 }, () => opened(address)))
  await Promise.all(stores.map((store, at) => write(store, String(at))))
  expect(await notesIn(stores[0] as Store<Notes>)).toHaveLength(20)
})

test('a transaction is alone from its first statement on, and sees what others have committed', async () => {
  const address = await server.newAddress()
  const stores = await Promise.all(Array.from({ length: 4 }, () => opened(address)))
  const addNext = (store: Store<Notes>) =>
    store.write(async (db) => {
      const rows = await db.selectFrom('notes').select('text').execute()
      await new Promise((resolve) => setImmediate(resolve))
      await db
        .insertInto('notes')
        .values({ text: String(rows.length) })
        .execute()
    })
  await Promise.all(Array.from({ length: 40 }, (_, at) => addNext(stores[at % 4] as Store<Notes>)))
  const texts = await notesIn(stores[0] as Store<Notes>)
  expect(new Set(texts).size).toBe(40)
})

test('a read sees the store as it was at one moment, whatever others commit meanwhile', async () => {
  const address = await server.newAddress()
  const [store, other] = [await opened(address), await opened(address)]
  await write(store, 'first')
  expect(await readTwice(store, other)).toEqual([['first'], ['first']])
  expect(await notesIn(store)).toEqual(['first', 'meanwhile'])
})

test('writes that wait at the same time share a commit; one of them that fails is undone alone', async () => {
  const address = await server.newAddress()
  const store = await opened(address)
  const all = ['a', 'b', 'c', 'd'].map((text) =>
    store.write(async (db) => {
      await db.insertInto('notes').values({ text }).execute()
      if (text === 'c') throw new Error('spilled ink')
    }),
  )
  const ends = await Promise.allSettled(all)
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await notesIn(store)).toEqual(['a', 'b', 'd'])
  expect(await server.run(address, 'select commits::integer from paydesk_store')).toEqual([{ commits: 1 }])
})

test('a migration is run where it is missing, and a store of another version is refused (2)', async () => {
  const address = await server.newAddress()
  await write(await opened(address), 'old')
  const second: Migration = async (db) => {
    await db.schema.alterTable('notes').addColumn('author', 'text').execute()
  }
  const newer = { ...notesSchema, version: 2, migrations: [second] }
  expect(await notesIn(await opened(address, {}, newer))).toEqual(['old'])
  await expect(opened(address)).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('another version'),
  })
})

test('a connection that the server ends in a transaction is nobody’s loss: it is begun anew', async () => {
  const address = await server.newAddress()
  const store = await opened(address)
  let tries = 0
  await store.write(async (db) => {
    tries += 1
    await db.insertInto('notes').values({ text: 'once' }).execute()
    if (tries > 1) return
    await server.run(
      address,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction' and query like 'insert%'`,
    )
  })
  expect(tries).toBe(2)
  expect(await notesIn(store)).toEqual(['once'])
})

test('a writer that sleeps with the lock loses its transaction, not its work', async () => {
  const address = await server.newAddress()
  const [sleeper, other] = [await opened(address, { patience: 300 }), await opened(address)]
  let tries = 0
  const sleeping = sleeper.write(async (db) => {
    tries += 1
    await db.insertInto('notes').values({ text: 'late' }).execute()
    if (tries === 1) await new Promise((resolve) => setTimeout(resolve, 900))
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await write(other, 'meanwhile')
  await sleeping
  expect(await notesIn(other)).toEqual(['late', 'meanwhile'])
})

test.each([0, 0.4])('a writer without patience (%d ms) does not wait for a lock for ever (11)', async (patience) => {
  const address = await server.newAddress()
  const [holder, other] = [await opened(address), await opened(address, { patience })]
  let end: (value: unknown) => void = () => undefined
  let isLocked = false
  const leaseHolder = holder.write(async () => {
    isLocked = true
    await new Promise((resolve) => {
      end = resolve
    })
  })
  await until('it is locked', () => isLocked)
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('it waits')), 20_000).unref())
  const waited = Promise.race([write(other, 'never'), late])
  await waited.catch(() => undefined)
  end(null)
  await leaseHolder
  await expect(waited).rejects.toMatchObject({ kind: 'unsent' })
  await write(other, 'now')
  expect(await notesIn(other)).toEqual(['now'])
})

test.each([
  ['a host that there is not', 'postgres://paydesk@no-such-host.invalid/paydesk', /ENOTFOUND|EAI_AGAIN/],
  ['a role that there is not', null, /nobody/],
])('%s is told at once (11), and is no defect', async (_what, given, words) => {
  const address = given ?? (await server.newAddress()).replace('//paydesk@', '//nobody@')
  const opening = openTeamStore<Notes>(address, notesSchema, { machine: realClock, patience: 100 })
  await expect(opening).rejects.toMatchObject({ kind: 'unsent', message: expect.stringMatching(words) })
})

describe('without PGPASSWORD', () => {
  async function opening() {
    const { PGPASSWORD: password = '' } = process.env
    delete process.env.PGPASSWORD
    onTestFinished(() => {
      process.env.PGPASSWORD = password
      delete process.env.PGPASSFILE
    })
    const address = await server.newAddress()
    // The server's own helper sets it.
    delete process.env.PGPASSWORD
    const open = () => openTeamStore<Notes>(address, notesSchema, { machine: realClock, patience: 100 })
    return { open, password }
  }

  test('and without a file it is said that there is no password (11)', async () => {
    process.env.PGPASSFILE = '/nonexistent'
    const { open } = await opening()
    await expect(open()).rejects.toMatchObject({ kind: 'unsent', message: expect.stringContaining('password') })
  })

  test('the file of PGPASSFILE has it, and nobody is warned', async () => {
    const { open, password } = await opening()
    process.env.PGPASSFILE = join(temporaryDirectory('pgpass'), 'pgpass')
    writeFileSync(process.env.PGPASSFILE, `127.0.0.1:${server.port}:*:paydesk:${password}\n`, { mode: 0o600 })
    const warned: string[] = []
    const hear = ({ message }: Error) => warned.push(message)
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    const store = await open()
    await write(store, 'kept')
    await store.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect(warned).toEqual([])
  })
})
