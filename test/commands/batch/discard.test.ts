import { expect, test } from 'vitest'
import { employees, handPayroll, type Payroll, plannedSandboxPayroll } from '../../kit/batch.ts'
import { builtPaydesk, type ProcessEnd } from '../../kit/process.ts'
import { paydesk, succeeds } from '../../kit/program.ts'
import { ledgerOf } from '../../kit/world.ts'

test('batch discard: a discarded plan sends nothing (12) until its file is planned again', async () => {
  const payroll = await plannedSandboxPayroll(employees(2))
  const { planId } = payroll
  expect((await payroll.run(['batch', 'discard', planId])).json).toMatchObject({ planId, planned: 2 })
  const refused = await payroll.run(['batch', 'run', planId, '--yes'])
  expect(refused).toMatchObject({ code: 12, error: { message: expect.stringContaining('discarded') } })
  expect(await ledgerOf(payroll.home)).toEqual([])
  expect((await payroll.plan()).json).toMatchObject({ planId, renewed: true })
  expect((await payroll.run(['batch', 'run', planId, '--yes'])).code).toBe(0)
})

test('batch discard: show, status, wait and report say that the plan was discarded and suggest no refused command', async () => {
  const payroll = await plannedSandboxPayroll(employees(2))
  const { planId } = payroll
  await payroll.run(['batch', 'discard', planId])
  const discardedAt = expect.stringMatching(/^\d{4}-/)
  const way = 'To pay it after all, plan payroll.csv again'
  for (const command of ['show', 'status', 'wait', 'report']) {
    const told = await payroll.run(['batch', command, planId])
    expect(told.json, command).toMatchObject({ discardedAt })
    const drawn = await payroll.run(['batch', command, planId, '--output', 'table'])
    expect(drawn.stdout, command).toMatch(/^discarded +\d{4}-.*; no more rows are sent$/m)
    expect(drawn.stdout + drawn.stderr, command).not.toMatch(/good until|batch resume/)
    if (command === 'wait' || command === 'report') expect(drawn.stdout + drawn.stderr).toContain(way)
  }
  for (const command of ['run', 'resume']) {
    const refused = await payroll.run(['batch', command, planId, '--yes'])
    expect(refused, command).toMatchObject({ code: 12, error: { retry: 'after-fix' } })
    const hints = String((refused.error as { readonly hints: readonly string[] }).hints)
    expect(hints).toContain(way)
    expect(hints).not.toContain('batch resume')
  }
  await payroll.plan()
  expect((await payroll.run(['batch', 'show', planId])).json).toMatchObject({ discardedAt: null })
})

/** Runs a plan at a terminal, where it is agreed to; `meanwhile` happens while that is asked. */
async function agreedTo(payroll: Payroll, profile: string, words: string, meanwhile: () => Promise<unknown>) {
  let asked: Promise<unknown> | null = null
  const ended = await paydesk(['batch', 'run', payroll.planId, '-p', profile, '--json'], {
    home: payroll.home,
    terminal: true,
    dialogue: (screen, type) => {
      if (!screen.includes('Pay ')) return
      asked ??= meanwhile().then(() => type(`${words}\r`))
    },
  })
  await asked
  return ended
}

test('batch run: a plan that is discarded while the run asks for consent sends nothing (12)', async () => {
  const payroll = await plannedSandboxPayroll(employees(3))
  const ended = await agreedTo(payroll, 'sandbox', 'yes', async () => {
    expect(await payroll.batch('discard')).toMatchObject({ code: 0, json: { planned: 3 } })
  })
  expect(ended.code, ended.stderr).toBe(12)
  expect(ended.stderr).toContain('it was discarded')
  expect(await ledgerOf(payroll.home)).toEqual([])
})

test('batch discard: a plan is not discarded while a run pays its rows (12)', async () => {
  let discarded: Promise<ProcessEnd> | null = null
  const payroll = await handPayroll(employees(3), async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    discarded ??= builtPaydesk(['batch', 'discard', payroll.planId, '--json'], payroll.home)
    await discarded
    return undefined
  })
  await payroll.plan()
  await succeeds(payroll.batch('run', '--confirm', 'GEL 6.75', '--concurrency', '1'))
  expect(await discarded).toMatchObject({ code: 12, stderr: expect.stringContaining('another run is paying the plan') })
})
