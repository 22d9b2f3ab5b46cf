/** An early error of a command never means that an earlier run of its plan did not pay. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, type HandPayroll, plannedPayroll } from '../kit/batch.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { builtPaydesk } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addFault, orderOf100 } from '../kit/world.ts'

/** A plan of two rows that were sent: accepted, or executed with their answers lost. */
async function sent(state: 'accepted' | 'unknown'): Promise<HandPayroll> {
  const payroll = await plannedPayroll(employees(2), ({ path }) =>
    path === '/api/distributor' && state === 'unknown' ? { status: 502, body: '<html>' } : undefined,
  )
  const ended = await payroll.batch('run', '--confirm', 'GEL 3.50', '--timeout', '60s')
  expect(ended.code, ended.stderr).toBe(state === 'unknown' ? 9 : 0)
  return payroll
}

const file = ({ home }: HandPayroll) => join(home, 'payroll.csv')
type Line = (payroll: HandPayroll) => readonly string[]

const early: readonly (readonly [what: string, code: number, line: Line])[] = [
  [
    'batch resume with a confirmation that does not match',
    3,
    ({ planId }) => ['batch', 'resume', planId, '--confirm', 'GEL 1'],
  ],
  ['batch run without a confirmation', 2, ({ planId }) => ['batch', 'run', planId]],
  ['batch run with an unknown flag', 2, ({ planId }) => ['batch', 'run', planId, '--nope']],
  ['batch discard with an unknown flag', 2, ({ planId }) => ['batch', 'discard', planId, '--yes']],
  ['batch status with an unknown flag', 2, ({ planId }) => ['batch', 'status', planId, '--nope']],
  ['batch plan with an unknown flag', 2, (payroll) => ['batch', 'plan', file(payroll), '--nope']],
  ['batch plan of the same file', 7, (payroll) => ['batch', 'plan', file(payroll), '--key-column', 'key']],
]

test.each(early)('a plan with unknown rows: %s ends with %i, and money may have moved', async (_, code, line) => {
  const payroll = await sent('unknown')
  const ended = await payroll.run(line(payroll))
  expect(ended, ended.stderr).toMatchObject({ code, error: { moneyMoved: 'unknown' } })
  expect(ended.stderr).not.toMatch(/nothing was sent/i)
  expect(String(ended.error.hints)).toContain(`batch status ${payroll.planId}`)
})

test('batch run: a home that others may write (4), with a plan of unknown rows: money may have moved', async () => {
  const payroll = await sent('unknown')
  chmodSync(payroll.home, 0o777)
  const ended = await payroll.batch('run', '--confirm', 'GEL 3.50')
  expect(ended, ended.stderr).toMatchObject({ code: 4, error: { moneyMoved: 'unknown' } })
  expect(ended.error.message).toContain('nothing more was sent')
})

test('batch resume: a damaged journal (1), with a plan of unknown rows: money may have moved', async () => {
  const payroll = await sent('unknown')
  const journal = join(payroll.home, 'journal', 'journal.db')
  for (const end of ['', '-wal']) {
    writeFileSync(`${journal}${end}`, 'this is no journal'.repeat(1000), { mode: 0o600 })
  }
  rmSync(`${journal}-shm`, { force: true })
  // A process of its own: within one, SQLite shares what it knows of a file.
  const ended = await builtPaydesk(
    ['batch', 'resume', payroll.planId, '--confirm', 'GEL 3.50', '-p', 'hand', '--json'],
    payroll.home,
  )
  expect(ended.code, ended.stderr).toBe(1)
  expect(JSON.parse(ended.stderr)).toMatchObject({ error: { moneyMoved: 'unknown' } })
})

test('batch run: an early error says that money moved for a plan with accepted rows, and that none did for a plan that never ran', async () => {
  const payroll = await sent('accepted')
  const again = await payroll.batch('run', '--nope')
  expect(again).toMatchObject({ code: 2, error: { moneyMoved: 'yes' } })
  payroll.write([{ key: 'new', amount: '4' }])
  await payroll.plan()
  const fresh = await payroll.batch('run', '--confirm', 'GEL 5')
  expect(fresh).toMatchObject({ code: 3, error: { moneyMoved: 'no' } })
  expect(fresh.error.message).toContain('nothing was sent')
})

test('order cancel: a wrong flag or profile for an unknown order: money may have moved', async () => {
  const home = newHome()
  await addFault(home, { op: 'order.create', at: 'after', kind: 'reset', times: 9 })
  await addFault(home, { op: 'order.status', at: 'before', kind: 'reset', times: 9 })
  const around = { home, clock: hurriedClock(), random: impatient }
  expect((await paydesk(orderOf100('--key', 'o-1'), around)).code).toBe(9)
  for (const wrong of [['--nope'], ['-p', 'nope']]) {
    const ended = await paydesk(['order', 'cancel', 'o-1', '--yes', '--json', ...wrong], { home })
    expect(ended, ended.stderr).toMatchObject({ error: { moneyMoved: 'unknown' } })
  }
})
