/** The journal's tables and its hash chain on both engines. */
import { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import { type Link, linkHash } from '../../../../src/lib/store/chain/chain.ts'
import type { Store } from '../../../../src/lib/store/engine/store.ts'
import { type JournalTables, journalSchema } from '../../../../src/lib/store/journal/schema.ts'
import { openTeam } from '../../../../src/lib/store/team/schema.ts'
import { postgresServer } from '../../../kit/postgres.ts'
import { memoryStore } from '../../../kit/store.ts'

const server = postgresServer()

async function opened(address: string): Promise<Store<JournalTables>> {
  const store = await openTeam<JournalTables>(address, { machine: realClock })
  onTestFinished(() => store.close())
  return store
}

const payee = { profile: 'acme', name: 'Nino', added_at: '2026-11-20T06:00:00.000Z', salt: 's', digest: 'd' }

function addPayee(store: Store<JournalTables>, id: string) {
  return store.write((db) =>
    db
      .insertInto('payees')
      .values({ ...payee, id, account: `account of ${id}` })
      .execute(),
  )
}

function linksOf(store: Store<JournalTables>): Promise<readonly Link[]> {
  const query: CompiledQuery<Link> = CompiledQuery.raw('select number, hash, seals, changes from links order by number')
  return store.read(async (db) => (await db.executeQuery(query)).rows)
}

/** Table and column, and whether it may be null. */
async function columnsOf(store: Store<JournalTables>): Promise<readonly string[]> {
  const tables = await store.read((db) => db.introspection.getTables())
  const ours = tables.filter(({ name }) => ['intents', 'attempts', 'spent', 'payees', 'links'].includes(name))
  const found = ours.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
  return [...new Set(found)].toSorted()
}

test('both engines have the same tables and columns', async () => {
  const inMemory = await memoryStore<JournalTables>(journalSchema)
  expect(await columnsOf(await opened(await server.newAddress()))).toEqual(await columnsOf(inMemory))
})

test('each commit that changes a row adds a link that covers it and the link before', async () => {
  const store = await opened(await server.newAddress())
  await Promise.all([addPayee(store, 'a'), addPayee(store, 'b')])
  await store.write(async (db) => {
    await db.updateTable('payees').set({ digest: 'first' }).where('id', '=', 'a').execute()
    await db.updateTable('payees').set({ digest: 'second' }).where('id', '=', 'a').execute()
  })
  await store.write((db) => db.deleteFrom('payees').where('id', '=', 'b').execute())
  await store.write((db) => db.deleteFrom('payees').where('id', '=', 'nobody').execute())
  const links = await linksOf(store)
  expect(links.map(({ changes }) => JSON.parse(changes))).toEqual([
    { 'payees:a': 'd', 'payees:b': 'd' },
    { 'payees:a': 'second' },
    { 'payees:b': null },
  ])
  for (const [at, link] of links.entries()) expect(link.hash).toBe(linkHash(links[at - 1]?.hash ?? '', link))
  expect(store.head).toEqual({ links: 3, hash: links.at(-1)?.hash })
})

test('what did not succeed, and what another program writes, has no link', async () => {
  const address = await server.newAddress()
  const store = await opened(address)
  await addPayee(store, 'a')
  const both = [
    addPayee(store, 'b'),
    store.write(async (db) => {
      await db.deleteFrom('payees').execute()
      throw new Error('not that')
    }),
  ]
  await Promise.allSettled(both)
  await server.run(address, "update payees set name = 'Nika'")
  const links = await linksOf(store)
  expect(links.map(({ changes }) => JSON.parse(changes))).toEqual([{ 'payees:a': 'd' }, { 'payees:b': 'd' }])
})

test('counts of what is spent stand in the chain as they are', async () => {
  const store = await opened(await server.newAddress())
  const spent = { environment: 'live', client_id: 'me', minute: '2026-11-20T06:31', service_id: 's', origin: 'o' }
  await store.write((db) =>
    db
      .insertInto('spent')
      .values({ ...spent, currency: 'GEL', payouts: 1n, units: 2n ** 60n })
      .execute(),
  )
  const [link] = await linksOf(store)
  const [[name, content] = []] = Object.entries(JSON.parse(link?.changes ?? '{}'))
  expect(name).toBe('spent:live/me/2026-11-20T06:31/s/o/GEL')
  expect(content).toBe(`[1, ${2n ** 60n}]`)
})
