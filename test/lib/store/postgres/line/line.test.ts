/** Statements in flights over a real server. */
import { CompiledQuery, Kysely } from 'kysely'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { deferred } from '../../../../../src/lib/store/engine/template.ts'
import { readTeamAddress } from '../../../../../src/lib/store/postgres/address.ts'
import { linesTo } from '../../../../../src/lib/store/postgres/pipeline.ts'
import type { Notes } from '../../../../kit/store/notes.ts'
import { postgresServer } from '../../../../kit/store/postgres.ts'

const server = postgresServer()

async function notebook() {
  const address = await server.newAddress()
  const pool = new Pool({ ...readTeamAddress(address).connection, max: 1, pipeline: true })
  // The server may end before a connection that is being closed has said so.
  pool.on('error', () => undefined)
  const db = new Kysely<Notes>({ dialect: linesTo(pool) })
  onTestFinished(() => db.destroy())
  await db.executeQuery(CompiledQuery.raw('create table notes (text text primary key)'))
  const texts = async () =>
    (await db.selectFrom('notes').select('text').orderBy('text').execute()).map(({ text }) => text)
  return { db, texts }
}

const note = (text: string) =>
  deferred<{ readonly text: string }>(CompiledQuery.raw('insert into notes values ($1) returning text', [text]))

test('what waits leaves with the next statement, and its rows are there when that was answered', async () => {
  const { db } = await notebook()
  await db.transaction().execute(async (transaction) => {
    const { rows } = await transaction.executeQuery(note('waits'))
    expect(rows).toEqual([])
    const found = await transaction.selectFrom('notes').select('text').execute()
    expect([rows, found]).toEqual([[{ text: 'waits' }], [{ text: 'waits' }]])
  })
})

test('where a statement that waited fails, the flight fails, and nothing of the transaction stands', async () => {
  const { db, texts } = await notebook()
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.executeQuery(note('once'))
    await transaction.executeQuery(note('once'))
    await transaction.executeQuery(note('after it'))
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await texts()).toEqual([])
})

test('what is undone never leaves, and the connection serves the next one', async () => {
  const { db, texts } = await notebook()
  const undone = db.transaction().execute(async (transaction) => {
    await transaction.executeQuery(note('never'))
    throw new Error('spilled ink')
  })
  await expect(undone).rejects.toThrow('spilled ink')
  await db.insertInto('notes').values({ text: 'kept' }).execute()
  expect(await texts()).toEqual(['kept'])
})

test('more statements than one flight takes are all carried out', async () => {
  const { db, texts } = await notebook()
  await db.transaction().execute(async (transaction) => {
    for (let at = 0; at < 1_203; at += 1) await transaction.executeQuery(note(String(at)))
  })
  expect(await texts()).toHaveLength(1_203)
})
