/** The built program killed for real while it pays a file, again and again: each row is paid once, and the papers add up. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { employees, payroll } from '../kit/batch/payroll.ts'
import { mustVerify } from '../kit/journal.ts'
import { builtPaydesk, start } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { seededNumbers } from '../kit/run/chance.ts'
import { until } from '../kit/run/until.ts'
import { isWhole } from '../kit/run/whole.ts'
import { ledgerOf, standingSandbox } from '../kit/world.ts'

const random = seededNumbers()

/** `npm run crashes` kills a file of the size that a company has. */
const isComplete = process.env.PAYDESK_CRASHES === 'all'

vi.setConfig({ testTimeout: isComplete ? 1_800_000 : 300_000 })

const rows = isComplete ? 10_000 : isWhole ? 1000 : 200
const kills = isComplete ? 20 : isWhole ? 5 : 4

async function planned(home: string) {
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1.25' })))
  const plan = await builtPaydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'sandbox', '--json'], home)
  expect(plan.code, plan.stderr).toBe(0)
  return String(JSON.parse(plan.stdout).planId)
}

/** The four papers of a plan have all of its rows, and its sum to the cent. */
async function mustAddUp(home: string, planId: string, dir: string): Promise<void> {
  const ended = await builtPaydesk(['batch', 'results', planId, '--dir', dir, '--json'], home)
  expect([0, 9, 10], ended.stderr).toContain(ended.code)
  const { papers } = JSON.parse(ended.stdout) as {
    readonly papers: readonly { readonly rows: number; readonly totals: { readonly GEL?: number } }[]
  }
  const counted = papers.reduce((sum, paper) => sum + paper.rows, 0)
  const cents = papers.reduce((sum, { totals }) => sum + Math.round((totals.GEL ?? 0) * 100), 0)
  expect([counted, cents]).toEqual([rows, rows * 125])
}

/** Starts a run and kills it at a random one of its payouts, or before the first; half of the rows are left for the last run. */
async function killed(argv: readonly string[], home: string, requests: readonly string[]): Promise<void> {
  const payouts = () => requests.filter((line) => line === 'POST /api/distributor').length
  const last = payouts() + Math.floor((random() * rows) / kills / 2)
  const { child, end } = start([...argv, '--yes', '--json'], home)
  await until('it has sent so many', () => payouts() >= last || child.exitCode !== null)
  await wait(random() * 10)
  child.kill('SIGKILL')
  expect((await end).signal, 'it was killed').toBe('SIGKILL')
}

test(`${kills} kills and resumes of ${rows} rows pay each row once`, async () => {
  const home = newHome()
  const { requests } = await standingSandbox(home)
  const planId = await planned(home)
  for (let round = 0; round < kills; round += 1) {
    await killed(['batch', round === 0 ? 'run' : 'resume', planId], home, requests)
    const status = JSON.parse((await builtPaydesk(['batch', 'status', planId, '--json'], home)).stdout)
    const { accepted, exists, unknown, planned: left, unsent } = status
    expect(accepted + exists + unknown + left + unsent, JSON.stringify(status)).toBe(rows)
    const paid = await ledgerOf(home)
    expect(paid.length).toBeGreaterThanOrEqual(accepted + exists)
    expect(paid.length).toBeLessThanOrEqual(accepted + exists + unknown)
    await mustAddUp(home, planId, join(home, `papers-${round}`))
    await mustVerify({ home })
  }
  const last = await builtPaydesk(['batch', 'resume', planId, '--yes', '--json'], home)
  expect(last.code, last.stderr).toBe(0)
  const paid = await ledgerOf(home)
  expect(paid).toHaveLength(rows)
  expect(paid.every(({ executions }) => executions === 1)).toBe(true)
  const { accepted, exists, journalHead } = JSON.parse(last.stdout)
  expect(accepted + exists).toBe(rows)
  await mustAddUp(home, planId, join(home, 'papers'))
  await mustVerify({ home }, '--head', journalHead)
})

test('two runners at once: one runs, the other is told so (12), and each row is paid once', async () => {
  const home = newHome()
  await standingSandbox(home)
  const planId = await planned(home)
  const run = () => builtPaydesk(['batch', 'run', planId, '--yes', '--json'], home)
  const ends = await Promise.all([run(), run()])
  expect(ends.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 12])
  // Sixteen rows side by side listen to one signal; Node warns of such, on the stream of the error line.
  expect(ends.map(({ stderr }) => stderr).join('')).not.toContain('MaxListeners')
  const paid = await ledgerOf(home)
  expect(paid).toHaveLength(rows)
  expect(paid.every(({ executions }) => executions === 1)).toBe(true)
  await mustVerify({ home })
})

test('a run that is killed gives its plan free at once', async () => {
  const home = newHome()
  await standingSandbox(home)
  const planId = await planned(home)
  const { child, end } = start(['batch', 'run', planId, '--yes', '--json', '--rate', '20/s'], home)
  await wait(1500)
  child.kill('SIGKILL')
  await end
  const next = await builtPaydesk(['batch', 'resume', planId, '--yes', '--json'], home)
  expect(next.code, next.stderr).toBe(0)
})

test('one file planned by three processes at once is one plan; the others are told so', async () => {
  const home = newHome()
  await standingSandbox(home)
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(3000)))
  const plan = () => builtPaydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'sandbox', '--json'], home)
  const ends = await Promise.all([plan(), plan(), plan()])
  const codes = ends.map(({ code }) => code)
  expect(codes, ends.map(({ stderr }) => stderr).join('')).toContain(0)
  // 7: it was planned already when this one looked; 12: it is being planned.
  for (const code of codes) expect([0, 7, 12], ends.map(({ stderr }) => stderr).join('')).toContain(code)
  const listed = JSON.parse((await builtPaydesk(['batch', 'list', '--json'], home)).stdout)
  expect(listed).toMatchObject([{ rows: 3000 }])
})
