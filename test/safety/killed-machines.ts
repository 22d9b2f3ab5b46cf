/** Two machines pay the same rows by a plan each, over one store, and are killed with its database. */
import { expect } from 'vitest'
import type { OwnServer } from '../kit/postgres.ts'
import { ledgerService } from '../kit/service.ts'
import { teamDesk } from '../kit/team.ts'
import { until } from '../kit/tools.ts'

interface Size {
  readonly rows: number
  /** Each kills both machines and the database. */
  readonly kills: number
}

/** Each row is executed once, both plans have it, and the journal is intact. */
export async function mustPayOnce(server: OwnServer, { rows, kills }: Size): Promise<void> {
  const address = await server.newAddress()
  const { service, executed } = await ledgerService(20)
  const machine = async (name: string) => {
    const desk = await teamDesk(address, service.url, rows)
    const planId = await desk.plan('--again', name)
    return { ...desk, begin: (verb: 'run' | 'resume') => desk.runAlone(planId, verb, '--concurrency', '4'), planId }
  }
  const machines = [await machine('first'), await machine('second')] as const
  const step = rows / kills / 4
  for (let killed = 0; killed < kills; killed += 1) {
    const runs = machines.map((each) => each.begin(killed === 0 ? 'run' : 'resume'))
    const areOver = () => runs.every(({ child }) => child.exitCode !== null)
    const morePaid = (more: number) => {
      const before = executed.size
      return until('more rows are paid', () => executed.size >= Math.min(rows, before + more) || areOver())
    }
    await morePaid(step)
    await server.crash()
    await morePaid(step)
    for (const { child } of runs) child.kill('SIGKILL')
    await Promise.all(runs.map(({ end }) => end))
  }
  // Rows that one has in flight are locked for the other: it says so, and the next look finds them paid.
  for (let tries = 0, open = rows; open > 0 && tries < 10; tries += 1) {
    const ends = await Promise.all(machines.map((each) => each.begin('resume').end))
    for (const { code, stderr } of ends) expect([0, 9, 10], stderr).toContain(code)
    const { json } = await machines[0].run('batch', 'status', machines[0].planId)
    open = rows - Number(json.accepted) - Number(json.exists)
  }
  for (const { run, planId } of machines) {
    expect((await run('batch', 'status', planId)).json).toMatchObject({ unknown: 0, planned: 0, unsent: 0 })
    expect((await run('journal', 'verify')).json).toMatchObject({ intact: true })
  }
  expect(executed.size).toBe(rows)
  expect([...executed.values()].reduce((sum, cents) => sum + cents, 0)).toBe(rows * 125)
}
