/** One cell of the crash matrix of a file of payouts: after a crash at a boundary each row is paid once, and the counts are true. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { employees, payroll } from '../../kit/batch.ts'
import { impatient } from '../../kit/clock.ts'
import { mustVerify } from '../../kit/payment.ts'
import { start } from '../../kit/process.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { until } from '../../kit/tools.ts'
import { addFault, clearFaults, ledgerOf, standingSandbox } from '../../kit/world.ts'
import type { BatchCell } from './cells.ts'
import { strike } from './strike.cjs'

const rows = 8
const preload = join(import.meta.dirname, 'boundary.cjs')
/** Long enough for a busy machine; only cells with a hanging service wait for it. */
const patience = ['--timeout', '20s', '--answer-timeout', '3s']

interface Counts {
  readonly accepted: number
  readonly exists: number
  readonly unknown: number
  readonly sending: number
  readonly planned: number
  readonly refused: number
  readonly turnedAway: number
  readonly unsent: number
  readonly held: number
}

/** A command before or after the crash, in this process. */
const run = (argv: readonly string[], home: string) => paydesk(argv, { home, random: impatient })

async function plannedIn(home: string): Promise<string> {
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows)))
  const plan = await succeeds(run(['batch', 'plan', file, '--key-column', 'key', '-p', 'sandbox', '--json'], home))
  return String(JSON.parse(plan.stdout).planId)
}

/** Runs the plan up to its crash. */
async function crash(home: string, planId: string, requests: readonly string[], cell: BatchCell) {
  const journal = join(home, 'journal', 'journal.db')
  const payouts = () => requests.filter((line) => line === 'POST /api/distributor').length
  const line = ['batch', 'run', planId, '--yes', '--json', '--concurrency', '2', ...patience]
  const { child, end } = start(line, home, {
    ...{ NODE_OPTIONS: `--require=${preload}`, CRASH_AT: cell.boundary, CRASH_KIND: cell.crash },
    ...{ CRASH_JOURNAL: journal, CRASH_NTH: String(cell.nth), NODE_DISABLE_COMPILE_CACHE: '1' },
  })
  if (cell.boundary === 'after send') {
    await until('it is at the service', () => payouts() >= cell.nth || child.exitCode !== null)
    if (child.exitCode === null) strike(cell.crash, child.pid ?? 0, journal)
  }
  return await end
}

async function countsOf(home: string, planId: string): Promise<Counts | null> {
  const { code, stdout, stderr } = await run(['batch', 'status', planId, '--json'], home)
  if (code === 1 && stderr.includes('damaged')) return null
  return JSON.parse(stdout) as Counts
}

/** `atEnd` takes the work for the end of the test. */
export async function tellBatchCell(cell: BatchCell, atEnd: (work: () => Promise<void> | void) => void): Promise<void> {
  const home = newHome()
  const { requests } = await standingSandbox(home, atEnd)
  const planId = await plannedIn(home)
  if (cell.fault) await addFault(home, { ...cell.fault, nth: 2, times: 2 })
  const ended = await crash(home, planId, requests, cell)
  await clearFaults(home)
  const before = requests.length
  const counts = await countsOf(home, planId)
  if (counts === null) {
    expect(cell.crash).toBe('damaged file')
    const resumed = await run(['batch', 'resume', planId, '--yes', '--json'], home)
    expect(resumed.code, resumed.stderr).toBe(1)
    expect(requests.length, 'nothing is sent with a damaged journal').toBe(before)
    return
  }
  const paid = (await ledgerOf(home)).length
  const { accepted, exists, unknown, sending, planned, refused, turnedAway, unsent, held } = counts
  const seen = `${ended.code} ${ended.stderr} ${JSON.stringify(counts)}`
  expect(accepted + exists + unknown + sending + planned + refused + turnedAway + unsent + held, seen).toBe(rows)
  expect(paid, seen).toBeGreaterThanOrEqual(accepted + exists)
  expect(paid, seen).toBeLessThanOrEqual(accepted + exists + unknown + sending)
  await succeeds(run(['batch', 'resume', planId, '--yes', '--json'], home))
  const executed = await ledgerOf(home)
  expect(executed.map(({ executions }) => executions)).toEqual(Array(rows).fill(1))
  const last = await countsOf(home, planId)
  expect((last?.accepted ?? 0) + (last?.exists ?? 0)).toBe(rows)
  await mustVerify({ home })
}
