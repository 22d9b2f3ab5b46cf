/** A server that may lose commits from now on: who is at work sends nothing over its connections, and goes on when it keeps again. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { openTeamStore } from '../../src/lib/store/postgres/open.ts'
import { teamMachine } from '../kit/batch/fleet.ts'
import { until } from '../kit/run/until.ts'
import { ledgerService } from '../kit/service/ledger.ts'
import { type Notes, notesIn, notesSchema, write } from '../kit/store/notes.ts'
import { ownPostgresServer } from '../kit/store/postgres.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Milliseconds: rows whose end could not be written stay this worker's until their lease of a minute lapses. */
const outlivesLeases = 120_000

const server = ownPostgresServer()

const others =
  "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = 'paydesk'"

test('a worker whose connections may lose commits sends nothing more, says why, and goes on when they keep', async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService(100)
  const machine = await teamMachine(address, service.url, 150)
  const planId = await machine.plan()
  const worker = machine.work('--timeout', '3s')
  let told = ''
  worker.child.stderr?.on('data', (piece: Buffer) => {
    told += piece.toString()
  })
  const handing = machine.handOver(planId)
  await until('some rows are paid', () => executed.size >= 20)
  await server.run(address, 'alter role paydesk set synchronous_commit = off')
  await server.run(address, others)
  await until('it waits', () => told.includes('"event":"waiting"'))
  await wait(1_000)
  const paid = executed.size
  await wait(4_000)
  expect(executed.size).toBe(paid)
  expect(paid).toBeLessThan(100)
  expect(told).toContain('is not written any more: its server may lose commits (synchronous_commit is off)')
  const refused = await machine.run('journal', 'list')
  expect(refused.code, refused.stderr).toBe(2)
  await server.run(address, 'alter role paydesk reset synchronous_commit')
  await until('all of it is paid', () => executed.size === 150, outlivesLeases)
  const ended = await handing.end
  expect([0, 11], ended.stderr).toContain(ended.code)
  worker.child.kill('SIGTERM')
  expect((await worker.end).code).toBe(0)
})

test('a session that does not wait for the disk any more writes nothing (11)', async () => {
  const address = await server.newAddress()
  const store = await openTeamStore<Notes>(address, notesSchema, { machine: realClock, patience: 500 })
  onTestFinished(() => store.close())
  await write(store, 'before')
  const reload = async (how: string) => {
    await server.run(address, `alter system ${how}`)
    await server.run(address, 'select pg_reload_conf()')
    await wait(300)
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
