/** Workers of a team are killed one after the other while they pay a plan, and their database, too. */
import { expect } from 'vitest'
import { endLeases, type OwnServer } from '../../kit/postgres.ts'
import { ledgerService } from '../../kit/service.ts'
import { teamDesk } from '../../kit/team.ts'
import { until } from '../../kit/tools.ts'

interface Size {
  readonly rows: number
  readonly workers: number
  /** Each kills one worker, every third one the database with it. */
  readonly kills: number
}

/** Each row of the plan is executed once, and the journal is intact. */
export async function mustPayOnce(server: OwnServer, { rows, workers: count, kills }: Size): Promise<void> {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService(20)
  const desk = await teamDesk(address, service.url, rows)
  const planId = await desk.plan()
  // Long enough for a database that starts again, by a clock with short naps.
  const handing = desk.handOver(planId, '--timeout', '60m')
  const workers = Array.from({ length: count }, () => desk.work())
  const sweep = () => server.run(address, 'update handed set swept_at = null')
  for (let killed = 0; killed < kills; killed += 1) {
    const paid = executed.size
    await until('a few more rows are paid', async () => {
      await sweep()
      return executed.size >= Math.min(rows - 1, paid + rows / kills / 2)
    })
    if (killed % 3 === 1) await server.crash()
    const at = killed % count
    await workers[at]?.kill()
    await endLeases(server, address, workers[at]?.pid)
    workers[at] = desk.work()
  }
  await sweep()
  const ended = await handing.end
  expect([0, 9, 10], ended.stderr).toContain(ended.code)
  for (const { stop } of workers) stop()
  for (const { end } of workers) expect((await end).code).toBe(0)
  for (let tries = 0; tries < 5; tries += 1) {
    const { code, stderr } = await desk.resume(planId)
    expect([0, 9, 10], stderr).toContain(code)
    if (code === 0) break
  }
  const { json: status } = await desk.run('batch', 'status', planId)
  expect(status).toMatchObject({ unknown: 0, planned: 0, unsent: 0, refused: 0, rows })
  expect(Number(status.accepted) + Number(status.exists)).toBe(rows)
  expect(executed.size).toBe(rows)
  expect([...executed.values()].reduce((sum, cents) => sum + cents, 0)).toBe(rows * 125)
  expect((await desk.run('journal', 'verify')).json).toMatchObject({ intact: true })
}
