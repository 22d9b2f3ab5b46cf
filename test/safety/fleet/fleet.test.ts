/** Workers of a team that are killed at random, while their database is, too: each row of a plan is paid once. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { teamMachine } from '../../kit/batch/fleet.ts'
import { seededNumbers } from '../../kit/run/chance.ts'
import { isWhole } from '../../kit/run/whole.ts'
import { ledgerService } from '../../kit/service/ledger.ts'
import { ownPostgresServer } from '../../kit/store/postgres.ts'

const random = seededNumbers()

vi.setConfig({ testTimeout: 600_000 })

const server = ownPostgresServer()

/** `npm run crashes` pays a file of the size that a team has. */
const isComplete = process.env.PAYDESK_CRASHES === 'all'
const rows = isComplete ? 5000 : isWhole ? 2000 : 400

test(`${rows} rows, three workers killed at random, the database killed twice: each row is paid once`, async () => {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService(20)
  const machine = await teamMachine(address, service.url, rows)
  const planId = await machine.plan()
  const handing = machine.handOver(planId, '--timeout', '5m')
  const workers = [machine.work(), machine.work(), machine.work()]
  for (let kills = 0; kills < 6; kills += 1) {
    await wait(800 + random() * 1_500)
    if (kills % 3 === 1) await server.crash()
    const at = kills % workers.length
    workers[at]?.child.kill('SIGKILL')
    await workers[at]?.end
    workers[at] = machine.work()
  }
  const ended = await handing.end
  expect([0, 9, 10], ended.stderr).toContain(ended.code)
  for (const { child } of workers) child.kill('SIGTERM')
  for (const { end } of workers) expect((await end).code).toBe(0)
  for (let tries = 0; tries < 5; tries += 1) {
    const { code, stderr } = await machine.resume(planId)
    expect([0, 9, 10], stderr).toContain(code)
    if (code === 0) break
  }
  const status = JSON.parse((await machine.run('batch', 'status', planId)).stdout)
  expect(status).toMatchObject({ unknown: 0, planned: 0, unsent: 0, refused: 0, rows })
  expect(status.accepted + status.exists).toBe(rows)
  expect(executed.size).toBe(rows)
  expect([...executed.values()].reduce((sum, cents) => sum + cents, 0)).toBe(rows * 125)
  expect(JSON.parse((await machine.run('journal', 'verify')).stdout)).toMatchObject({ intact: true })
})
