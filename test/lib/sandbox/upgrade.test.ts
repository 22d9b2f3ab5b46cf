import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { openStore } from '../../../src/lib/store/engine/open.ts'
import { type SandboxTables, sandboxSchema } from '../../../src/lib/store/sandbox/schema/schema.ts'
import { callers, toIban } from '../../kit/sandbox/callers.ts'
import { integratorNamed } from '../../kit/sandbox/integrator.ts'
import { fileSandbox, freshDirectory, served } from '../../kit/sandbox/stand.ts'

/** A world as the first release made it: payouts only. */
async function firstRelease(directory: string): Promise<void> {
  const schema = { ...sandboxSchema, migrations: sandboxSchema.migrations.slice(0, 1) }
  const store = await openStore<SandboxTables>(join(directory, 'sandbox.db'), schema)
  await store.write(async (db) => {
    // The columns of the first release; the types are those of the last.
    await sql`insert into world (world_id, created, next_transaction_id)
      values ('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', 1, '9007199254741000')`.execute(db)
    await db
      .insertInto('clients')
      .values({
        position: 0,
        client_id: '5a9db0c0-0001-4a11-8c11-000000000001',
        name: 'sandbox',
        secret: 'kept',
        pays_out_by: 'iban',
        permissions: '',
        currencies: 'GEL',
        minimum: null,
        maximum: null,
        commission_per_mille: 0,
      })
      .execute()
    const iban = { position: 0, iban: 'GE78SB1000000000000001', client_id: '5a9db0c0-0001-4a11-8c11-000000000001' }
    await db
      .insertInto('accounts')
      .values({ ...iban, currency: 'GEL', opening: 100_000, main: 1 })
      .execute()
    const paid = { iban: iban.iban, transaction_id: '9007199254740999' }
    await db
      .insertInto('payouts')
      .values({
        ...{ ...paid, client_id: iban.client_id, unique_id: randomUUID(), amount: 1250, commission: 7 },
        ...{ currency: 'GEL', status: 'SUCCESS', ends_in: 'SUCCESS', due: null, created: 1, nanoseconds: 0 },
        request: '{}',
      })
      .execute()
    await db
      .insertInto('postings')
      .values({ ...paid, units: 1257, kind: 'debit' })
      .execute()
  })
  await store.close()
}

test('a world that the first release made goes on, with its ledger, and has its new members at once', async () => {
  const directory = freshDirectory()
  await firstRelease(directory)
  const sandbox = await fileSandbox(directory)
  expect(await sandbox.world()).toMatchObject({
    worldId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    distributorClients: [
      { name: 'sandbox', clientSecret: 'kept', accounts: [{ balance: new JsonNumber('987.43') }] },
      { name: 'sandbox-receiver' },
      { name: 'sandbox-full' },
      { name: 'sandbox-poor' },
    ],
  })
  expect((await sandbox.ledger()).payouts).toMatchObject([{ transactionId: '9007199254740999', executions: 1 }])
  const { url } = await served(sandbox)
  const us = await integratorNamed(sandbox, url)
  const id = await us.created()
  await sandbox.trigger({ what: 'paid', order: id })
  expect(await us.status(id)).toBe('SUCCESS')
  expect((await sandbox.clock()).ahead).toBe(0)
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
