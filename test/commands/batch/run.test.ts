import { expect, test } from 'vitest'
import { employees, plannedPayroll, plannedSandboxPayroll, refusing } from '../../kit/batch.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { succeeds } from '../../kit/program.ts'
import { json } from '../../kit/service.ts'
import { signalLine } from '../../kit/tools.ts'
import { ledgerOf } from '../../kit/world.ts'

const run = (planId: string, ...more: readonly string[]) => ['batch', 'run', planId, ...more]

test('batch run: each row is paid once, and a second run sends nothing', async () => {
  const payroll = await plannedSandboxPayroll(employees(20))
  const ended = await succeeds(payroll.run(run(payroll.planId, '--yes')))
  expect(ended.json).toMatchObject({
    rows: 20,
    accepted: 20,
    planned: 0,
    unknown: 0,
    stopped: null,
    totals: { GEL: 215 },
  })
  const paid = await ledgerOf(payroll.home)
  expect(paid.map(({ amount }) => amount.text).toSorted()).toEqual(
    employees(20)
      .map(({ amount }) => amount)
      .toSorted(),
  )
  expect((await payroll.run(run(payroll.planId, '--yes'))).json).toMatchObject({ accepted: 20 })
  expect(await ledgerOf(payroll.home)).toHaveLength(20)
})

test('batch run: a refused row ends the run with 10, and the other rows are paid', async () => {
  const payroll = await plannedPayroll(employees(4), refusing('"amount":2.25'))
  const ended = await payroll.run(run(payroll.planId, '--confirm', 'GEL 11'))
  expect(ended.code, ended.stdout + ended.stderr).toBe(10)
  expect(ended.json).toMatchObject({ refused: 1, accepted: 3 })
  expect(ended.error).toMatchObject({ moneyMoved: 'yes' })
})

test('batch run: --output ndjson tells every row and then the counts, amounts as numbers', async () => {
  const payroll = await plannedSandboxPayroll(employees(3))
  const ended = await payroll.run([...run(payroll.planId, '--yes'), '--output', 'ndjson'])
  const lines = ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(4)
  expect(
    lines
      .slice(0, 3)
      .map(({ row, state }) => [row, state])
      .toSorted(),
  ).toEqual([
    [2, 'accepted'],
    [3, 'accepted'],
    [4, 'accepted'],
  ])
  expect(lines[3]).toMatchObject({ planId: payroll.planId, accepted: 3 })
  // As it is planned: a number, with its digits.
  expect(ended.stdout).toMatch(/"row":2,.*"amount":1\.25,/)
  const waited = await payroll.batch('wait', '--timeout', '1s', '--output', 'ndjson')
  expect(`${ended.stdout}${waited.stdout}`).not.toContain('"amount":"')
})

test('batch run: a plan without a row left to send says that nothing was sent', async () => {
  const payroll = await plannedPayroll(employees(2), refusing('"amount":2.25'))
  const line = run(payroll.planId, '--confirm', 'GEL 3.50')
  expect(JSON.stringify((await payroll.run(line)).json)).not.toContain('nothing was sent')
  const again = await payroll.run(line)
  expect(again).toMatchObject({ code: 10, json: { accepted: 1, refused: 1 } })
  expect(again.error.message).toContain('1 accepted, 1 refused; nothing was sent')
  const paid = await plannedSandboxPayroll(employees(1))
  const once = await paid.run(run(paid.planId, '--yes'))
  expect(once).toMatchObject({ code: 0, json: { warnings: [] } })
  const twice = await succeeds(paid.run([...run(paid.planId, '--yes'), '--output', 'table']))
  expect(twice.stderr).toContain('nothing was sent: no row is left to send')
})

test('batch run: a plan that is a day old sends nothing (12)', async () => {
  const clock = hurriedClock()
  const payroll = await plannedSandboxPayroll(employees(2), { clock })
  clock.skip(25 * 60 * 60 * 1000)
  const ended = await payroll.run(run(payroll.planId, '--yes'))
  expect(ended).toMatchObject({ code: 12, error: { moneyMoved: 'no' } })
  expect(ended.error.message).toContain('more than 24 hours ago')
  expect(await ledgerOf(payroll.home)).toEqual([])
})

test('batch run: --rate is kept', async () => {
  const clock = hurriedClock()
  const payroll = await plannedSandboxPayroll(employees(6), { clock })
  const start = clock.now()
  expect((await payroll.run(run(payroll.planId, '--yes', '--rate', '60/m'))).code).toBe(0)
  expect(clock.now() - start).toBeGreaterThanOrEqual(5000)
})

test('batch run: a test profile takes the totals as consent, neither --yes (2) nor a part of them (3)', async () => {
  const payroll = await plannedPayroll([...employees(1), { key: 'u', amount: '5', currency: 'USD' }], () => undefined)
  expect(await payroll.run(run(payroll.planId, '--yes'))).toMatchObject({ code: 2 })
  expect(await payroll.run(run(payroll.planId, '--confirm', 'GEL 1.25'))).toMatchObject({ code: 3 })
  expect(payroll.service.creates).toHaveLength(0)
  await succeeds(payroll.run(run(payroll.planId, '--confirm', 'USD 5 + GEL 1.25')))
  expect(payroll.service.creates).toHaveLength(2)
})

const consent = (payroll: { readonly planId: string }, sum: string, ...more: readonly string[]) =>
  run(payroll.planId, '--confirm', sum, '--concurrency', '1', ...more)
const same = (count: number) => employees(count, { amount: '1' })

test('batch run: a refused token stops the run (4), and unsent rows stay planned', async () => {
  const payroll = await plannedPayroll(same(30), ({ path }) =>
    path === '/api/distributor' ? json({ message: 'no', statusCode: 5021 }, 401) : undefined,
  )
  const ended = await payroll.run(consent(payroll, 'GEL 30'))
  expect(ended.code, ended.stderr).toBe(4)
  expect(ended.json).toMatchObject({ turnedAway: 1, planned: 29 })
})

test('batch run: with --concurrency 8 an empty balance (5038) refuses eight rows at most (10)', async () => {
  const payroll = await plannedPayroll(same(60), ({ path }) =>
    path === '/api/distributor' ? json({ message: 'no', statusCode: 5038 }, 400) : undefined,
  )
  const ended = await payroll.run(run(payroll.planId, '--confirm', 'GEL 60', '--concurrency', '8'))
  expect(ended.code, ended.stderr).toBe(10)
  const refused = Number(ended.json.refused)
  expect(refused, ended.stdout).toBeLessThanOrEqual(8)
  expect(ended.json).toMatchObject({ accepted: 0, planned: 60 - refused, unknown: 0 })
})

test('batch run: --max-failures stops the run (10), and unsent rows stay planned', async () => {
  const payroll = await plannedPayroll(same(30), ({ path }) =>
    path === '/api/distributor' ? json({ message: 'no', statusCode: 5042 }, 400) : undefined,
  )
  const ended = await payroll.run(consent(payroll, 'GEL 30', '--max-failures', '4'))
  expect(ended).toMatchObject({ code: 10, json: { refused: 4, planned: 26 } })
  expect(ended.error.moneyMoved).toBe('no')
})

test('batch run: ten unknown rows in a row stop the run (9), and batch resume pays each row once', async () => {
  let isDown = true
  const payroll = await plannedPayroll(same(30), ({ path }) =>
    path === '/api/distributor' && isDown ? { status: 502, body: '<html>' } : undefined,
  )
  const ended = await payroll.run(consent(payroll, 'GEL 30', '--timeout', '5s'))
  expect(ended).toMatchObject({ code: 9, json: { unknown: 10, planned: 20 }, error: { moneyMoved: 'unknown' } })
  expect(String(ended.error.hints)).toMatch(/^[^,]*paydesk batch resume b-\w+ --confirm 'GEL /)
  expect(String(ended.error.hints).match(/paydesk batch resume/g)).toHaveLength(1)
  expect(String(ended.error.hints)).not.toContain('paydesk resume j-')
  isDown = false
  const ids = new Set(payroll.service.creates.map(({ body }) => JSON.parse(body).uniqueId))
  expect(ids.size).toBe(10)
  const resumed = await payroll.batch('resume', '--confirm', 'GEL 30')
  expect(resumed, resumed.stderr).toMatchObject({ code: 0, json: { accepted: 30, unknown: 0 } })
  expect(new Set(payroll.service.creates.map(({ body }) => JSON.parse(body).uniqueId)).size).toBe(30)
})

test('batch run: ^C lets the request in flight end and stops the run (130)', async () => {
  const { send, signals } = signalLine()
  const payroll = await plannedPayroll(same(30), ({ path }, count) => {
    if (path === '/api/distributor' && count === 3) send('SIGINT')
    return undefined
  })
  const ended = await payroll.run(consent(payroll, 'GEL 30'), { signals })
  expect(ended).toMatchObject({ code: 130, json: { accepted: 3, planned: 27, unknown: 0 } })
  expect(String(ended.error.hints)).toContain(`batch resume ${payroll.planId} --confirm 'GEL 30.00'`)
  expect(ended.json.stopped).toBe('by ^C')
  expect(ended.error.message).toBe('27 planned, 3 accepted; stopped by ^C')
})

test('batch run: a refused row that was edited is paid under the same key', async () => {
  let isStrict = true
  const payroll = await plannedPayroll(employees(2), ({ path, body }) =>
    path === '/api/distributor' && isStrict && body.includes('2.25')
      ? json({ message: 'no', statusCode: 5042 }, 400)
      : undefined,
  )
  const first = await payroll.run(run(payroll.planId, '--confirm', 'GEL 3.50'))
  expect(first, first.stderr).toMatchObject({ code: 10, json: { accepted: 1, refused: 1 } })
  isStrict = false
  payroll.write([{ key: 'e-2', amount: '2.20' }])
  await payroll.plan()
  const second = await payroll.run(run(payroll.planId, '--confirm', 'GEL 2.20'))
  expect(second, second.stderr).toMatchObject({ code: 0, json: { rows: 1, accepted: 1 } })
})
