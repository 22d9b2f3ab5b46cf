/** A run that has paid rows never ends with a code that means that no money moved. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodes } from '../../src/lib/cli/help/explain.ts'
import { employees, handPayroll, payroll, plannedPayroll } from '../kit/batch.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { postgresServer } from '../kit/postgres.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { type Answering, addHandProfile, json, serviceByHand } from '../kit/service.ts'

const server = postgresServer()

test('batch run: a newer paydesk changes the store after three paid rows: the run ends with 10, and money moved', async () => {
  const address = await server.newAddress()
  let creates = 0
  const service = await serviceByHand(async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    creates += 1
    if (creates === 3) await server.run(address, 'update paydesk_store set schema = schema + 1')
    return undefined
  })
  const around = { home: newHome(), env: { PAYDESK_STORE: address }, clock: hurriedClock(), random: impatient }
  await addHandProfile(around.home, service.url)
  const file = join(around.home, 'payroll.csv')
  writeFileSync(file, payroll(employees(12, { amount: '1' })))
  const planned = await paydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'hand', '--json'], around)
  const line = ['--confirm', 'GEL 12', '--concurrency', '1', '--json']
  const ended = await paydesk(['batch', 'run', String(planned.json.planId), ...line], around)
  expect(ended, ended.stderr).toMatchObject({
    code: 10,
    json: { accepted: 3, planned: 9 },
    error: { name: 'partial', moneyMoved: 'yes', retry: 'after-fix' },
  })
  expect(ended.error.message).toContain('was written by another version of paydesk')
  expect(String(ended.error.hints)).toContain('Update paydesk.')
})

test('batch run, resume: a token that is refused (5021) after three paid rows ends the run with 4, and money moved', async () => {
  const payrollOf = await plannedPayroll(employees(12, { amount: '1' }), ({ path }, count) =>
    path === '/api/distributor' && count > 3 ? json({ message: 'no', statusCode: 5021 }, 401) : undefined,
  )
  const line = ['--confirm', 'GEL 12', '--concurrency', '1']
  const first = await payrollOf.batch('run', ...line)
  expect(first, first.stderr).toMatchObject({
    code: 4,
    json: { accepted: 3, turnedAway: 1, planned: 8 },
    error: { moneyMoved: 'yes', retry: 'after-fix' },
  })
  const second = await payrollOf.batch('resume', ...line)
  expect(second, second.stderr).toMatchObject({ code: 4, json: { accepted: 3 }, error: { moneyMoved: 'yes' } })
})

/** A run whose first three rows are lost on their way, and not executed; from then on every row is taken. */
async function threeLost(environment: 'test' | 'live', ...name: readonly string[]) {
  let isLost = true
  const answering: Answering = ({ path }) =>
    path === '/api/distributor' && isLost ? { status: 502, body: '' } : undefined
  const keyed = employees(8)
  const rows = environment === 'test' ? keyed : keyed.map(({ amount = '' }) => ({ amount }))
  const payrollOf = await handPayroll(rows, answering, environment)
  await payrollOf.plan(...name)
  const line = [payrollOf.planId, '--confirm', 'GEL 38', '--concurrency', '1']
  const first = await payrollOf.run(['batch', 'run', ...line, '--max-failures', '3', '--timeout', '60s'])
  expect(first, first.stderr).toMatchObject({ code: 9, json: { unknown: 3 } })
  const resume = () => payrollOf.run(['batch', 'resume', ...line, '--timeout', '60s'])
  const sentSoFar = () => payrollOf.service.creates.length
  return {
    ...{ payrollOf, resume },
    /** Resumed twice: the first time it pays these rows, and the second time nothing. */
    async resumed(code: number) {
      isLost = false
      for (const sent of [3, 0]) {
        const before = sentSoFar()
        const ended = await resume()
        expect(sentSoFar() - before).toBe(sent)
        expect(ended, ended.stderr).toMatchObject({
          code,
          json: { accepted: 3, planned: 5 },
          error: { moneyMoved: 'yes', retry: 'after-fix' },
        })
      }
      return exitCodes().find((each) => each.code === code)?.moneyMoved
    },
  }
}

test('batch resume: a stale plan (12) whose unknown rows are paid by it: money moved', async () => {
  const { payrollOf, resumed } = await threeLost('test')
  await succeeds(paydesk(['profile', 'add', 'hand', '--limit', 'GEL 500/payout', '--replace'], payrollOf))
  expect(await resumed(12)).toBe('no, for what it blocked; otherwise unknown')
})
