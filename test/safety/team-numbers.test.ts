/** A database that dies with a commit on its way, and has other commits before it is asked for that one. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { openTeam } from '../../src/lib/store/team/schema.ts'
import { cutWay, ownPostgresServer } from '../kit/postgres.ts'
import { ledgerService } from '../kit/service.ts'
import { teamDesk } from '../kit/team.ts'
import { until } from '../kit/tools.ts'

// Nothing reaches the disk but what a commit takes there.
const server = ownPostgresServer({ wal_writer_delay: '10s' })

/** Long enough for a database that starts again, by a clock with short naps. */
const patiently = ['--timeout', '60m']

// The database starts again while a worker waits for it.
test('worker start: rows whose opening died with the database are opened once more before they are sent, each is paid once', {
  timeout: 60_000,
}, async () => {
  const address = await server.newAddress()
  const way = await cutWay(server.port)
  const { service, executed } = await ledgerService()
  const rows = 40
  const desk = await teamDesk(address, service.url, rows)
  const planId = await desk.plan()
  const handing = desk.handOver(planId, ...patiently)
  const remote = await teamDesk(address.replace(`:${server.port}/`, `:${way.port}/`), service.url, rows)
  way.next('select paydesk_commit', 'held-back')
  const worker = remote.workHere(...patiently)
  await until('the opening of rows is held back', () => way.cuts() === 1)
  await server.crash()
  const store = await openTeam(address, { machine: realClock })
  for (let each = 0; each < 20; each += 1) await store.write((db) => sql`select pg_current_xact_id()`.execute(db))
  await store.close()
  await way.open()
  const ended = await handing.end
  worker.stop()
  expect((await worker.end).code).toBe(0)
  const { json: status } = await desk.run('batch', 'status', planId)
  expect(status, ended.stderr).toMatchObject({ accepted: rows, refused: 0, unknown: 0, planned: 0 })
  expect(executed.size).toBe(rows)
})
