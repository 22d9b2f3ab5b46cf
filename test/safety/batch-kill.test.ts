/** The built program while it plans and pays a file: killed, and twice at once. A large file is killed in batch-kill.deep.ts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { employees, payroll, plannedPayroll } from '../kit/batch.ts'
import { mustVerify } from '../kit/payment.ts'
import { builtPaydesk, start } from '../kit/process.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { gate, until } from '../kit/tools.ts'
import { standingSandbox } from '../kit/world.ts'
import { mustPayOnce, plannedIn } from './batch-kill.ts'

// Each starts processes of the built program.
vi.setConfig({ testTimeout: 60_000 })

test('batch run: killed (SIGKILL) twice in 60 rows and resumed: each row is paid once, and the papers add up', () =>
  mustPayOnce({ rows: 60, kills: 2 }))

test('batch run: two processes run one plan at once: one pays each row once, the other is locked (12)', async () => {
  const { opened: isOpen, open } = gate()
  const payroll = await plannedPayroll(employees(60, { amount: '1' }), async ({ path }) => {
    if (path === '/api/distributor') await isOpen
    return undefined
  })
  const argv = ['batch', 'run', payroll.planId, '-p', 'hand', '--confirm', 'GEL 60', '--json']
  const ends = [start(argv, payroll.home).end, start(argv, payroll.home).end]
  // The first one waits for its answers until the other one has ended.
  expect((await Promise.race(ends)).code).toBe(12)
  open()
  const both = await Promise.all(ends)
  expect(both.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 12])
  // Sixteen rows side by side listen to one signal; Node warns of such, on the stream of the error line.
  expect(both.map(({ stderr }) => stderr).join('')).not.toContain('MaxListeners')
  const ids = payroll.service.creates.map(({ body }) => (JSON.parse(body) as { uniqueId: string }).uniqueId)
  expect([ids.length, new Set(ids).size]).toEqual([60, 60])
  await mustVerify(payroll)
})

test('batch resume: the plan of a run that was killed (SIGKILL) is free at once (0)', async () => {
  const home = newHome()
  const { requests } = await standingSandbox(home)
  const planId = await plannedIn(home, 20)
  const { child, end } = start(['batch', 'run', planId, '--yes', '--json', '--rate', '5/s'], home)
  await until('it pays', () => requests.includes('POST /api/distributor'))
  child.kill('SIGKILL')
  await end
  await succeeds(paydesk(['batch', 'resume', planId, '--yes', '--json'], { home }))
})

test('batch plan: one file planned by three processes at once is one plan; the others end with 7 or 12', async () => {
  const home = newHome()
  await standingSandbox(home)
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(1000)))
  const plan = () => builtPaydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'sandbox', '--json'], home)
  const ends = await Promise.all([plan(), plan(), plan()])
  const codes = ends.map(({ code }) => code)
  expect(codes, ends.map(({ stderr }) => stderr).join('')).toContain(0)
  // 7: it was planned already when this one looked; 12: it is being planned.
  for (const code of codes) expect([0, 7, 12], ends.map(({ stderr }) => stderr).join('')).toContain(code)
  expect((await paydesk(['batch', 'list', '--json'], { home })).json).toMatchObject([{ rows: 1000 }])
})
