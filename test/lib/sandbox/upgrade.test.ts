import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/lib/store/engine/sqlite.ts'
import type { Schema } from '../../../src/lib/store/engine/store.ts'
import { type SandboxTables, sandboxSchema } from '../../../src/lib/store/sandbox/schema.ts'
import { callers, toIban } from '../../kit/sandbox/callers.ts'
import { integratorNamed } from '../../kit/sandbox/integrator.ts'
import { fileSandbox, freshDirectory, served } from '../../kit/sandbox/stand.ts'

/** Tables that refer to each other, in an order in which they cannot be dropped one by one. */
const children = [
  'create table parents (id integer primary key)',
  'create table children (parent integer references parents)',
]

test('a store of another version is made anew, with its world, and serves', async () => {
  const directory = freshDirectory()
  const old: Schema = { ...sandboxSchema, version: 99, tables: ['create table world (world_id text)', ...children] }
  const store = await openStore<SandboxTables>(join(directory, 'sandbox.db'), old)
  await store.write((db) => sql`insert into world values ('of another version')`.execute(db))
  await store.write((db) => sql`insert into parents values (1)`.execute(db))
  await store.write((db) => sql`insert into children values (1)`.execute(db))
  await store.close()
  for (let times = 0; times < 2; times += 1) {
    const sandbox = await fileSandbox(directory)
    expect((await sandbox.world()).distributorClients).toHaveLength(4)
    const { url } = await served(sandbox)
    const us = await integratorNamed(sandbox, url)
    const id = await us.created()
    await sandbox.trigger({ what: 'paid', order: id })
    expect(await us.status(id)).toBe('SUCCESS')
  }
})

test('a world of this release has payouts beside orders, and a reset forgets both', async () => {
  const sandbox = await fileSandbox(freshDirectory())
  const { url } = await served(sandbox)
  const us = await integratorNamed(sandbox, url)
  const { byIban } = await callers(sandbox)
  await byIban.create(toIban())
  const id = await us.created({ saveCard: true, directLinkProvider: 'TBC' })
  await sandbox.trigger({ what: 'paid', order: id })
  await us.refund(id, 1)
  await sandbox.moveClock((now) => now + 1000)
  await sandbox.reset()
  expect(await sandbox.ledger()).toEqual({
    ...{ payouts: [], orders: [], walletOrders: [], cards: [], subscriptions: [], users: [], callbacks: [] },
  })
  expect((await sandbox.clock()).ahead).toBe(0)
})
