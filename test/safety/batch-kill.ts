/** The built program, killed while it pays a file in the sandbox. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { employees, payroll } from '../kit/batch.ts'
import { mustVerify } from '../kit/payment.ts'
import { builtPaydesk, start } from '../kit/process.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { until } from '../kit/tools.ts'
import { ledgerOf, standingSandbox } from '../kit/world.ts'

/** The plan of a file of so many rows of GEL 1.25. */
export async function plannedIn(home: string, rows: number): Promise<string> {
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1.25' })))
  const plan = await paydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'sandbox', '--json'], { home })
  expect(plan.code, plan.stderr).toBe(0)
  return String(plan.json.planId)
}

/** The four papers of a plan have all of its rows, and its sum to the cent. */
async function mustAddUp(home: string, planId: string, dir: string, rows: number): Promise<void> {
  const ended = await paydesk(['batch', 'results', planId, '--dir', dir, '--json'], { home })
  expect([0, 9, 10], ended.stderr).toContain(ended.code)
  const { papers } = ended.json as {
    readonly papers: readonly { readonly rows: number; readonly totals: { readonly GEL?: number } }[]
  }
  const counted = papers.reduce((sum, paper) => sum + paper.rows, 0)
  const cents = papers.reduce((sum, { totals }) => sum + Math.round((totals.GEL ?? 0) * 100), 0)
  expect([counted, cents]).toEqual([rows, rows * 125])
}

interface Size {
  readonly rows: number
  readonly kills: number
}

/** Each row is executed once, and after each kill the counts, the papers and the journal are right. */
export async function mustPayOnce({ rows, kills }: Size): Promise<void> {
  const home = newHome()
  const { requests } = await standingSandbox(home)
  const planId = await plannedIn(home, rows)
  const payouts = () => requests.filter((line) => line === 'POST /api/distributor').length
  for (let killed = 0; killed < kills; killed += 1) {
    // Half of the rows are left for the last run.
    const last = payouts() + Math.floor(rows / kills / 2)
    const verb = killed === 0 ? 'run' : 'resume'
    const { child, end } = start(['batch', verb, planId, '--yes', '--json'], home)
    await until('so many payouts have arrived', () => payouts() >= last || child.exitCode !== null)
    child.kill('SIGKILL')
    expect((await end).signal, 'it was killed').toBe('SIGKILL')
    const { json: status } = await paydesk(['batch', 'status', planId, '--json'], { home })
    const [accepted, exists, unknown, planned, unsent] = ['accepted', 'exists', 'unknown', 'planned', 'unsent'].map(
      (name) => Number(status[name]),
    ) as [number, number, number, number, number]
    expect(accepted + exists + unknown + planned + unsent, JSON.stringify(status)).toBe(rows)
    const paid = await ledgerOf(home)
    expect(paid.length).toBeGreaterThanOrEqual(accepted + exists)
    expect(paid.length).toBeLessThanOrEqual(accepted + exists + unknown)
    await mustAddUp(home, planId, join(home, `papers-${killed}`), rows)
    await mustVerify({ home })
  }
  const ended = await succeeds(builtPaydesk(['batch', 'resume', planId, '--yes', '--json'], home))
  const paid = await ledgerOf(home)
  expect(paid).toHaveLength(rows)
  expect(paid.every(({ executions }) => executions === 1)).toBe(true)
  const { accepted, exists, journalHead } = JSON.parse(ended.stdout)
  expect(accepted + exists).toBe(rows)
  await mustAddUp(home, planId, join(home, 'papers'), rows)
  await mustVerify({ home }, '--head', journalHead)
}
