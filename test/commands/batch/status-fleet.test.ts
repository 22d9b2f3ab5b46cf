/** `batch status` of a plan that the workers of a team pay, over a real Postgres. */
import { expect, test, vi } from 'vitest'
import { postgresServer } from '../../kit/postgres.ts'
import { paydesk, succeeds } from '../../kit/program.ts'
import { ledgerService } from '../../kit/service.ts'
import { teamMachine } from '../../kit/team.ts'
import { until } from '../../kit/tools.ts'

// Workers are processes of their own over a real Postgres.
vi.setConfig({ testTimeout: 60_000 })

const server = postgresServer()

test('batch status --watch: a plan that was handed over is watched to its end, with its workers and its journal head', async () => {
  const { service, executed } = await ledgerService()
  const machine = await teamMachine(await server.newAddress(), service.url, 20)
  const planId = await machine.plan()
  const status = async () => JSON.parse((await machine.run('batch', 'status', planId)).stdout)
  expect(await status()).toMatchObject({ withWorkers: null, isWorked: false, isOver: false })
  const handing = machine.handOverHere(planId, '--rate', '10/s')
  await until('it is handed over', async () => (await status()).withWorkers !== null)
  expect(await status()).toMatchObject({
    withWorkers: { present: 0, working: 0, rate: 10, endedAt: null },
    ...{ isWorked: true, isOver: false, planned: 20 },
  })
  const table = await paydesk(['batch', 'status', planId], machine)
  expect(table.stdout).toMatch(/workers +handed over .*; no worker runs: `paydesk worker start`/)
  const watching = machine.run('batch', 'status', planId, '--watch')
  const worker = machine.work()
  const { code, stdout, stderr } = await watching
  expect(code, stderr).toBe(0)
  const told = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(told.some(({ withWorkers }) => withWorkers.working === 1)).toBe(true)
  expect(told.some(({ rowsPerSecond }) => rowsPerSecond > 0)).toBe(true)
  expect(told.at(-1)).toMatchObject({ accepted: 20, isOver: true, isWorked: false })
  // In every line the counts and the sums add up to the plan.
  for (const { accepted, sending, planned, money } of told) {
    expect(accepted + sending + planned).toBe(20)
    const [{ total, accepted: taken, sending: onItsWay, left }] = money
    expect(taken + onItsWay + left).toBe(total)
  }
  expect(executed.size).toBe(20)
  const handed = await succeeds(handing.end)
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
  const handing = machine.handOverHere(planId)
  const handed = async () => {
    const { stdout, stderr } = await machine.run('batch', 'status', planId)
    expect(stdout, stderr).not.toBe('')
    return JSON.parse(stdout).isWorked
  }
  await until('it is handed over', handed)
  const watching = machine.run('batch', 'status', planId, '--watch')
  // Who hands it over may have the plan for a moment longer.
  await until('it is taken back', async () => (await machine.run('batch', 'discard', planId)).code === 0)
  const { code, stdout, stderr } = await watching
  expect(code, stderr).toBe(10)
  expect(JSON.parse(String(stdout.trimEnd().split('\n').at(-1)))).toMatchObject({
    ...{ stopped: 'it was discarded', planned: 3, isOver: true },
  })
  expect(JSON.parse(stderr).error).toMatchObject({ moneyMoved: 'no' })
  expect((await handing.end).code).toBe(10)
})
