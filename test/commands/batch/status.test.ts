import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { employees, plannedPayroll, plannedSandboxPayroll, refusing, sandboxPayroll } from '../../kit/batch.ts'
import { watchedNaps } from '../../kit/clock.ts'
import { readFigures } from '../../kit/figures.ts'
import { create } from '../../kit/payment.ts'
import { paydesk, succeeds } from '../../kit/program.ts'
import { signalLine } from '../../kit/tools.ts'

test('batch status: counts add up to the rows of the plan, also when a row was sent outside it', async () => {
  const payroll = sandboxPayroll(employees(4))
  await payroll.run(create({ profile: null, key: 'e-3', amount: '3.25', description: 'Salary' }))
  await payroll.plan()
  const ended = await payroll.batch('status')
  expect(ended, ended.stderr).toMatchObject({
    code: 0,
    json: { rows: 4, accepted: 1, replayed: 1, planned: 3, withWorkers: null, isWorked: false, isOver: false },
  })
  expect(ended.json.money).toMatchObject([
    { currency: 'GEL', total: 11, accepted: 3.25, sending: 0, unknown: 0, refused: 0, left: 7.75 },
  ])
})

test('batch status: --output prometheus prints the figures once, and is refused with --watch (2)', async () => {
  const payroll = await plannedPayroll(employees(3), refusing('2.25'))
  await payroll.batch('run', '--confirm', 'GEL 6.75')
  const { planId: plan } = payroll
  const ended = await succeeds(payroll.run(['batch', 'status', plan, '--output', 'prometheus']))
  const told = readFigures(ended.stdout)
  expect(told.get(`paydesk_plan_rows{plan="${plan}",state="accepted"}`)).toBe(2)
  expect(told.get(`paydesk_plan_rows{plan="${plan}",state="turned-away"}`)).toBe(0)
  expect(told.get(`paydesk_plan_amount{plan="${plan}",currency="GEL",state="refused"}`)).toBe(2.25)
  expect(told.get(`paydesk_plan_over{plan="${plan}"}`)).toBe(1)
  expect(told.get(`paydesk_plan_oldest_unknown_seconds{plan="${plan}"}`)).toBe(0)
  const watched = await payroll.run(['batch', 'status', plan, '--output', 'prometheus', '--watch'])
  expect(watched.code).toBe(2)
})

test('batch status --watch: a plan that is over ends at once with the code of its run: 0, 10 and 9', async () => {
  const whole = await plannedSandboxPayroll(employees(2))
  await whole.batch('run', '--yes')
  const done = await whole.batch('status', '--watch')
  expect(done, done.stderr).toMatchObject({ code: 0, stderr: '', json: { accepted: 2, isOver: true } })
  const refused = await plannedPayroll(employees(3), refusing('2.25'))
  await refused.batch('run', '--confirm', 'GEL 6.75')
  const partly = await refused.batch('status', '--watch')
  expect(partly, partly.stderr).toMatchObject({ code: 10, json: { refused: 1 }, error: { moneyMoved: 'yes' } })
  const lost = await plannedPayroll(employees(2), ({ path, body }) =>
    path === '/api/distributor' && body.includes('2.25') ? 'reset' : undefined,
  )
  await lost.batch('run', '--confirm', 'GEL 3.50', '--timeout', '2s')
  const unknown = await lost.batch('status', '--watch')
  expect(unknown, unknown.stderr).toMatchObject({ code: 9, json: { unknown: 1 }, error: { moneyMoved: 'unknown' } })
  expect(unknown.json.unknownSince).toMatch(/^\d{4}-/)
})

test('batch status --watch: a plan that nobody runs is watched until ^C (130) or --timeout (8)', async () => {
  const payroll = await plannedSandboxPayroll(employees(2))
  const { send, signals } = signalLine()
  const clock = watchedNaps(realClock)
  const watching = payroll.run(['batch', 'status', payroll.planId, '--watch'], { clock, signals })
  await clock.looks(3)
  send('SIGINT')
  const ended = await watching
  expect(ended.code, ended.stderr).toBe(130)
  // Nothing changed meanwhile.
  expect(ended.json).toMatchObject({ planned: 2, isOver: false })
  expect(ended.error).toMatchObject({ moneyMoved: 'no' })
  const early = await payroll.batch('status', '--watch', '--timeout', '1s')
  expect(early.code, early.stderr).toBe(8)
})

test('batch status --watch: writes a line for each change off a terminal, and redraws one block at a terminal', async () => {
  const payroll = await plannedSandboxPayroll(employees(3))
  const argv = ['batch', 'status', payroll.planId, '--watch', '-p', 'sandbox']
  const [off, at] = [watchedNaps(realClock), watchedNaps(realClock)]
  const lines = paydesk(argv, { home: payroll.home, clock: off })
  const block = paydesk(argv, { home: payroll.home, clock: at, terminal: true })
  await Promise.all([off.looks(2), at.looks(2)])
  await payroll.batch('run', '--yes')
  const { code, stdout, stderr } = await lines
  expect(code, stderr).toBe(0)
  const told = stdout.trimEnd().split('\n')
  expect(told[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ 0 of 3 rows: accepted 0 \(GEL 0\.00\)/)
  expect(told.at(-1)).toContain('3 of 3 rows: accepted 3 (GEL 6.75)')
  expect(new Set(told.map((line) => line.slice(21))).size).toBe(told.length)
  const drawn = await succeeds(block)
  const frames = drawn.stdout.split('\u001b[0J')
  expect(frames.length).toBeGreaterThan(2)
  // Each goes up by exactly as many lines as the one before it has.
  for (const [at, frame] of frames.slice(1, -1).entries()) {
    const up = frame.slice(frame.lastIndexOf('\u001b[') + 2)
    expect(Number.parseInt(up, 10), `frame ${at}`).toBe(frame.split('\n').length - 1)
  }
  expect(stripVTControlCharacters(String(frames.at(-1)))).toMatch(/accepted +3/)
})

test('batch status --watch: each line carries the journal head of its moment', async () => {
  const payroll = await plannedSandboxPayroll(employees(3))
  const clock = watchedNaps(realClock)
  const watching = payroll.run(['batch', 'status', payroll.planId, '--watch', '--output', 'json'], { clock })
  await clock.looks(2)
  await payroll.batch('run', '--yes')
  const { code, stdout, stderr } = await watching
  expect(code, stderr).toBe(0)
  const told = stdout.trimEnd().split('\n')
  expect(JSON.parse(String(told[0]))).toMatchObject({ accepted: 0, journalHead: null })
  const { head } = (await payroll.run(['journal', 'verify'])).json
  expect(JSON.parse(String(told.at(-1)))).toMatchObject({ accepted: 3, journalHead: head })
})

test('batch status --watch: --output csv is a usage error (2)', async () => {
  const payroll = await plannedSandboxPayroll(employees(1))
  expect(await payroll.batch('status', '--watch', '--output', 'csv')).toMatchObject({ code: 2 })
})
