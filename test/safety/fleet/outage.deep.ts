/** Workers pay a plan while one of them is killed, connections are cut around commits, and the database is away for a while. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cutWay, ownPostgresServer } from '../../kit/postgres.ts'
import { ledgerService } from '../../kit/service.ts'
import { teamDesk } from '../../kit/team.ts'
import { until } from '../../kit/tools.ts'

const server = ownPostgresServer()

const rows = 1000

test('worker start: 1000 rows, a worker killed, connections cut, the database stopped for 8 s: each row is paid once, 30 s later all of them', {
  timeout: 300_000,
}, async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService(50)
  const way = await cutWay(server.port)
  const office = await teamDesk(address, service.url, rows)
  const far = await teamDesk(address.replace(`:${server.port}/`, `:${way.port}/`), service.url, 1)
  const planId = await office.plan()
  const workers = [far.work(), far.work(), far.work()]
  const handing = office.runAlone(planId, 'run', '--workers', '--timeout', '5m')
  const paid = (least: number) => until(`${least} rows are executed`, () => executed.size >= least)
  await paid(100)
  way.next('paydesk_commit', 'before-its-answer')
  await paid(200)
  await workers[0]?.kill()
  way.next('paydesk_commit', 'before-it-arrives')
  await paid(350)
  process.kill(server.pid, 'SIGKILL')
  await wait(8_000)
  await server.start()
  const back = performance.now()
  await paid(500)
  way.next('paydesk_commit', 'before-its-answer')
  await paid(600)
  way.close()
  await way.open()
  const { code, stdout, stderr } = await handing.end
  const seconds = (performance.now() - back) / 1000
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ rows, unknown: 0, planned: 0, unsent: 0, refused: 0 })
  expect(way.cuts()).toBe(3)
  expect(executed.size).toBe(rows)
  expect([...executed.values()].reduce((sum, cents) => sum + cents, 0)).toBe(rows * 125)
  expect(seconds).toBeLessThan(30)
  for (const { stop } of workers) stop()
  for (const { end } of workers.slice(1)) expect((await end).code).toBe(0)
  expect((await office.run('journal', 'verify')).json).toMatchObject({ intact: true })
})
