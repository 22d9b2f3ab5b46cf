/** A database that may lose commits (synchronous_commit off): nothing is sent while it is, and payments go on when it keeps them again. */
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { openTeamStore } from '../../src/lib/store/postgres/open.ts'
import { type Notes, notesIn, notesSchema, write } from '../kit/notes.ts'
import { endLeases, ownPostgresServer } from '../kit/postgres.ts'
import { ledgerService } from '../kit/service.ts'
import { teamDesk } from '../kit/team.ts'
import { until } from '../kit/tools.ts'

const server = ownPostgresServer()

const others =
  "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = 'paydesk'"

// It pays 150 rows, and its database is away for a while.
test('worker start: connections that may lose commits send nothing more, the worker says why, and pays the rest when they keep again', {
  timeout: 60_000,
}, async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService(50)
  const desk = await teamDesk(address, service.url, 150)
  const planId = await desk.plan()
  const worker = desk.workHere('--timeout', '3s')
  const handing = desk.handOver(planId)
  await until('some rows are paid', () => executed.size >= 20)
  await server.run(address, 'alter role paydesk set synchronous_commit = off')
  await server.run(address, others)
  const waits = () => worker.said().split('"event":"waiting"').length - 1
  await until('it waits, and has looked again', () => waits() >= 4)
  const paid = executed.size
  const looked = waits()
  await until('it has looked ten times more', () => waits() >= looked + 10)
  expect(executed.size).toBe(paid)
  expect(paid).toBeLessThan(150)
  expect(worker.said()).toContain('its server may lose commits (synchronous_commit is off)')
  const refused = await desk.run('journal', 'list')
  expect(refused.code, refused.stderr).toBe(2)
  await server.run(address, 'alter role paydesk reset synchronous_commit')
  await until('all rows are paid', async () => {
    // Rows whose end could not be written are leased to the worker for half a minute.
    await endLeases(server, address)
    await server.run(address, 'update handed set swept_at = null')
    return executed.size === 150
  })
  const ended = await handing.end
  expect([0, 11], ended.stderr).toContain(ended.code)
  worker.stop()
  expect((await worker.end).code).toBe(0)
})

test("a team's store: a session whose server may lose commits by now writes nothing (11), and writes again when it keeps them", async () => {
  const address = await server.newAddress()
  const store = await openTeamStore<Notes>(address, notesSchema, { machine: realClock, patience: 500 })
  onTestFinished(() => store.close())
  await write(store, 'before')
  const loadedAt = async () => {
    const [row] = await server.run(address, 'select pg_conf_load_time()::text as loaded')
    return String(row?.loaded)
  }
  const reload = async (how: string) => {
    const before = await loadedAt()
    await server.run(address, `alter system ${how}`)
    await server.run(address, 'select pg_reload_conf()')
    // The server tells its sessions before it lets a new one in that has the new settings.
    await until('the settings are loaded', async () => (await loadedAt()) !== before)
  }
  await reload('set synchronous_commit = off')
  await expect(write(store, 'meanwhile')).rejects.toMatchObject({
    ...{ kind: 'unsent', moneyMoved: 'no' },
    message: expect.stringContaining('may lose commits (synchronous_commit is off)'),
  })
  await reload('reset synchronous_commit')
  await write(store, 'after')
  expect(await notesIn(store)).toEqual(['after', 'before'])
})
