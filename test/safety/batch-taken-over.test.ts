/**
 * The counts of a run whose rows others have paid meanwhile: they are of the journal as it stands when the run ends,
 * under the head that they are told with, and the exit code is theirs.
 */

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { employees, type HandPayroll, handPayroll, plannedPayroll } from '../kit/batch.ts'
import { hurriedClock } from '../kit/clock.ts'
import type { Ended } from '../kit/program.ts'
import { type Answering, json } from '../kit/service.ts'
import { signalLine } from '../kit/tools.ts'

const rows = 20
const consent = ['--confirm', 'GEL 20']

/** The lease of the plan is over, as far as others know. */
function leaseIsOver({ home, planId }: HandPayroll, holder: string | null = null): void {
  const database = new DatabaseSync(join(home, 'batches', `${planId}.db`))
  database.prepare('update plans set holder = ?, held_until = null, held_until_steady = null').run(holder)
  database.close()
}

/** A run that sleeps for 75 seconds while its fourth row is at the service; `meanwhile` is what happens then. */
async function overslept(meanwhile: (payroll: HandPayroll) => Promise<unknown>, answers: Answering = () => undefined) {
  const clock = hurriedClock()
  let isAsleep = false
  let creates = 0
  const answering: Answering = async (request, count) => {
    if (request.path !== '/api/distributor') return undefined
    creates += 1
    if (creates === 4) {
      isAsleep = true
      leaseIsOver(payroll)
      clock.skip(75_000)
      await meanwhile(payroll)
      isAsleep = false
      return undefined
    }
    return isAsleep ? answers(request, count) : undefined
  }
  const payroll: HandPayroll = await plannedPayroll(employees(rows, { amount: '1' }), answering, 'test', clock)
  const ended = await payroll.batch('run', ...consent, '--concurrency', '1')
  return { payroll, ended, sent: () => creates }
}

const resumed = ({ planId, run }: HandPayroll): Promise<Ended> =>
  run(['batch', 'resume', planId, ...consent, '--timeout', '60s'])

const status = async ({ planId, run }: HandPayroll) => (await run(['batch', 'status', planId])).json

test('batch run: the run slept, and another one has paid the other rows: all are counted as accepted (0)', async () => {
  const { payroll, ended, sent } = await overslept(resumed)
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: rows, planned: 0, unknown: 0 } })
  expect(ended.json.stopped).toContain('another run has taken over the plan')
  expect(ended.json.journalHead).toBe((await status(payroll)).journalHead)
  expect(sent()).toBe(rows)
})

test('batch run: the run slept, and in another one a row was refused: it is counted as refused, and no hint resumes the plan (10)', async () => {
  let refusals = 0
  const { ended } = await overslept(resumed, () => {
    refusals += 1
    return refusals === 1 ? json({ message: 'no', statusCode: 5042 }, 400) : undefined
  })
  expect(ended, ended.stderr).toMatchObject({
    code: 10,
    json: { accepted: rows - 1, refused: 1, planned: 0 },
    error: { moneyMoved: 'yes', retry: 'never' },
  })
  expect(String(ended.error.hints)).not.toContain('batch resume')
})

test('batch run: the run slept, and another one has the plan: the rest is planned, and money may move (12)', async () => {
  const { ended } = await overslept(async (payroll) => leaseIsOver(payroll, 'office/7/7/7/other'))
  expect(ended, ended.stderr).toMatchObject({
    code: 12,
    json: { accepted: 4, planned: rows - 4 },
    error: { name: 'locked', moneyMoved: 'unknown', retry: 'same-id' },
  })
})

test('batch run: ^C ends a run whose other rows another plan has paid meanwhile: all are counted as accepted (130)', async () => {
  const { send, signals } = signalLine()
  let creates = 0
  const payroll: HandPayroll = await handPayroll(employees(rows, { amount: '1' }), async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    creates += 1
    if (creates !== 4) return undefined
    payroll.write(employees(rows + 1, { amount: '1' }))
    await payroll.plan()
    await payroll.batch('run', '--confirm', `GEL ${rows + 1}`)
    send('SIGINT')
    return undefined
  })
  await payroll.plan()
  const ended = await payroll.run(['batch', 'run', payroll.planId, ...consent, '--concurrency', '1'], { signals })
  expect(ended, ended.stderr).toMatchObject({ code: 130, json: { accepted: rows, planned: 0 } })
})
