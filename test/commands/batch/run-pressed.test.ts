/** A run against a sandbox that limits its rate, answers late, or runs out of balance. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { employees, plannedSandboxPayroll } from '../../kit/batch.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { type Flags, flags } from '../../kit/payment.ts'
import { paydesk, succeeds } from '../../kit/program.ts'
import { ledgerOf } from '../../kit/world.ts'

async function faulted(home: string, fault: Flags): Promise<void> {
  await succeeds(paydesk(['sandbox', 'fault', 'add', ...flags({ op: 'payout.create', ...fault })], { home }))
}

/** The HTTP statuses that creates were answered with, as the log has them. */
async function answers(home: string): Promise<readonly number[]> {
  const log = await succeeds(paydesk(['sandbox', 'requests', '--operation', 'payout.create', '--json'], { home }))
  return z
    .array(z.object({ http: z.number() }))
    .parse(log.json)
    .map(({ http }) => http)
}

test('batch run: a rate limit of the service (429) slows the run, and each row is paid once', async () => {
  const payroll = await plannedSandboxPayroll(employees(12), { clock: hurriedClock(), random: impatient })
  await faulted(payroll.home, { at: 'before', kind: '429', above: '5/s' })
  const ended = await payroll.batch('run', '--yes')
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: 12 } })
  const seen = await answers(payroll.home)
  expect(seen.filter((status) => status === 429).length).toBeGreaterThan(0)
  expect(seen.filter((status) => status === 200)).toHaveLength(12)
  expect((await ledgerOf(payroll.home)).every(({ executions }) => executions === 1)).toBe(true)
})
