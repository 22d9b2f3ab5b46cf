/** A service that executes a payout and answers 429 or 401 all the same: the journal still leads to that payout, and warns of a second one. */
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addFault, clearFaults, ledgerOf } from '../kit/world.ts'

const statuses = [
  ['429', 5],
  ['401', 4],
] as const

async function turnedAway(kind: '429' | '401', code: number) {
  const home = newHome()
  await addFault(home, { at: 'after', kind, times: 99 })
  const ended = await paydesk([...create(), '--json'], { home, clock: hurriedClock(), random: impatient })
  expect(ended.code).toBe(code)
  await clearFaults(home)
  return { home, journalId: String(ended.error.journalId) }
}

test.each(statuses)('resume: executed under HTTP %s: a conflict (7), reconcile finds it (0)', async (kind, code) => {
  const { home, journalId } = await turnedAway(kind, code)
  const resumed = await paydesk(['resume', journalId, '-p', 'sandbox', '--json'], { home })
  expect(resumed, resumed.stdout).toMatchObject({ code: 7, error: { moneyMoved: 'unknown', journalId } })
  const [executed] = await ledgerOf(home)
  expect(executed).toMatchObject({ executions: 1 })
  const found = ['payout', 'reconcile', journalId, '--transaction-id', String(executed?.transactionId)]
  const reconciled = await paydesk([...found, '-p', 'sandbox', '--json'], { home })
  expect(reconciled).toMatchObject({ code: 0, json: { outcome: 'accepted', sumConfirmed: true } })
})

test.each(statuses)('payout create: the payment under another id warns of one under HTTP %s', async (kind, code) => {
  const { home, journalId } = await turnedAway(kind, code)
  const again = await paydesk([...create(), '--json'], { home })
  expect(again.code).toBe(0)
  expect(String(again.json.warnings)).toContain(journalId)
})
