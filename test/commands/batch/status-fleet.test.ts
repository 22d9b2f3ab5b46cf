/** `batch status` of a plan that workers have: the built program over a real Postgres. */
import { expect, test, vi } from 'vitest'
import { teamMachine } from '../../kit/batch/fleet.ts'
import { start } from '../../kit/program/built-paydesk.ts'
import { until } from '../../kit/run/until.ts'
import { ledgerService } from '../../kit/service/ledger.ts'
import { postgresServer } from '../../kit/store/postgres.ts'

vi.setConfig({ testTimeout: 120_000 })

const server = postgresServer()

test('batch status --watch: a plan that was handed over is watched to its end, with its workers and its journal head', async () => {
  const { service, executed } = await ledgerService()
  const address = await server.newAddress()
  const machine = await teamMachine(address, service.url, 30)
  const planId = await machine.plan()
  const status = async () => JSON.parse((await machine.run('batch', 'status', planId)).stdout)
  expect(await status()).toMatchObject({ withWorkers: null, isWorked: false, isOver: false })
  const handing = machine.handOver(planId, '--rate', '10/s')
  await until('it is handed over', async () => (await status()).withWorkers !== null)
  expect(await status()).toMatchObject({
    withWorkers: { present: 0, working: 0, rate: 10, endedAt: null },
    ...{ isWorked: true, isOver: false, planned: 30 },
  })
  const env = { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' }
  const table = await start(['batch', 'status', planId], machine.home, env).end
  expect(table.stdout).toMatch(/workers +handed over .*; none is there: `paydesk worker start`/)
  const watching = start(['batch', 'status', planId, '--watch', '--json'], machine.home, env)
  const worker = machine.work()
  const { code, stdout, stderr } = await watching.end
  expect(code, stderr).toBe(0)
  const told = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(told.some(({ withWorkers }) => withWorkers.working === 1)).toBe(true)
  expect(told.some(({ rowsPerSecond }) => rowsPerSecond > 0)).toBe(true)
  expect(told.at(-1)).toMatchObject({ accepted: 30, isOver: true, isWorked: false })
  // In every line the counts and the sums add up to the plan.
  for (const { accepted, sending, planned, money } of told) {
    expect(accepted + sending + planned).toBe(30)
    const [{ total, accepted: taken, sending: onItsWay, left }] = money
    expect(taken + onItsWay + left).toBe(total)
  }
  expect(executed.size).toBe(30)
  const handed = await handing.end
  expect(handed.code, handed.stderr).toBe(0)
  // Others have paid: the heads of what is told cover it.
  const { head } = JSON.parse((await machine.run('journal', 'verify')).stdout)
  expect([told.at(-1).journalHead, JSON.parse(handed.stdout).journalHead]).toEqual([head, head])
  worker.child.kill('SIGTERM')
  expect((await worker.end).code).toBe(0)
  expect((await status()).withWorkers.endedAt).toMatch(/^\d{4}-/)
})

test('batch status --watch: a plan that is discarded ends the watch (10) with the reason', async () => {
  const { service } = await ledgerService()
  const machine = await teamMachine(await server.newAddress(), service.url, 3)
  const planId = await machine.plan()
  const handing = machine.handOver(planId)
  const handed = async () => {
    const { stdout, stderr } = await machine.run('batch', 'status', planId)
    expect(stdout, stderr).not.toBe('')
    return JSON.parse(stdout).isWorked
  }
  await until('it is handed over', handed)
  const watching = machine.run('batch', 'status', planId, '--watch')
  expect((await machine.run('batch', 'discard', planId)).code).toBe(0)
  const { code, stdout, stderr } = await watching
  expect(code, stderr).toBe(10)
  expect(JSON.parse(String(stdout.trimEnd().split('\n').at(-1)))).toMatchObject({
    ...{ stopped: 'it was discarded', planned: 3, isOver: true },
  })
  expect(JSON.parse(stderr).error).toMatchObject({ moneyMoved: 'no' })
  expect((await handing.end).code).toBe(10)
})
