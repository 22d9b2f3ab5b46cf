/** A database that dies with a commit under way, and gives the number of that transaction to another one. */
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { teamJournalSchema } from '../../src/lib/store/journal/postgres/schema.ts'
import { openTeamStore } from '../../src/lib/store/postgres/open.ts'
import { teamMachine } from '../kit/batch/fleet.ts'
import { until } from '../kit/run/until.ts'
import { ledgerService } from '../kit/service/ledger.ts'
import { cutWay } from '../kit/store/cut.ts'
import { ownPostgresServer } from '../kit/store/postgres.ts'

vi.setConfig({ testTimeout: 120_000 })

// Nothing reaches the disk but what a commit takes there.
const server = ownPostgresServer({ wal_writer_delay: '10s' })

test('rows whose opening died with the database are opened once more before they are sent', async () => {
  const address = await server.newAddress()
  const way = await cutWay(server.port)
  const { service, executed } = await ledgerService(20)
  const rows = 40
  const office = await teamMachine(address, service.url, rows)
  const planId = await office.plan()
  const handing = office.handOver(planId, '--timeout', '60s')
  const remote = await teamMachine(address.replace(`:${server.port}/`, `:${way.port}/`), service.url, rows)
  way.next('insert into "intents"', 'held-back')
  const worker = remote.work()
  await until('the opening of rows is held back', () => way.cuts() === 1)
  await server.crash()
  const store = await openTeamStore(address, teamJournalSchema, { machine: realClock })
  for (let each = 0; each < 20; each += 1) await store.write((db) => sql`select pg_current_xact_id()`.execute(db))
  await store.close()
  await way.open()
  const ended = await handing.end
  worker.child.kill('SIGTERM')
  expect((await worker.end).code).toBe(0)
  const status = JSON.parse((await office.run('batch', 'status', planId)).stdout)
  expect(status, ended.stderr).toMatchObject({ accepted: rows, refused: 0, unknown: 0, planned: 0 })
  expect(executed.size).toBe(rows)
})
