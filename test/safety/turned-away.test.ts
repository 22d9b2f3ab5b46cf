/**
 * A service that executes a payout and then says 429 or 401 lies: by the table that is 5 or 4. The journal's record of it
 * must still lead back to that payout, and stand in the way of a second one.
 */
import { describe, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { hurriedClock, impatient } from '../kit/program/hurried.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import { json } from '../kit/service/service-by-hand.ts'
import { addFault, clearFaults, ledgerOf } from '../kit/world.ts'

test('a sign-in that fails after a 401 is told as what it is', async () => {
  const unnamed = { message: 'Unauthorized' }
  const desk = await handPayout(({ path }, count) => {
    if (path === '/api/distributor') return json(unnamed, 401)
    return path === '/api/auth' && count > 1 ? 'reset' : undefined
  })
  const ended = await desk.pay({ timeout: '20s' })
  expect(ended.error.message, ended.stderr).not.toContain('journal')
  expect(ended.code, ended.stderr).toBe(11)
  expect(ended.error).toMatchObject({ moneyMoved: 'no', retry: 'same-id' })
  expect(desk.creates()).toBe(1)
})

describe.each([
  ['429', 5],
  ['401', 4],
] as const)('a payout that is executed and answered with %s every time', (kind, code) => {
  async function turnedAway() {
    const home = newHome()
    await addFault(home, { at: 'after', kind, times: 99 })
    const hurried = { home, clock: hurriedClock(), random: impatient }
    const ended = await paydesk([...create(), '--json'], hurried)
    expect(ended.code).toBe(code)
    await clearFaults(home)
    return { home, journalId: String(ended.error.journalId) }
  }

  test('is not claimed as ours when it is resumed: 7, money unknown; reconcile finds it, executed once', async () => {
    const { home, journalId } = await turnedAway()
    const resumed = await paydesk(['resume', journalId, '-p', 'sandbox', '--json'], { home })
    expect(resumed.code, resumed.stdout).toBe(7)
    expect(resumed.error).toMatchObject({ moneyMoved: 'unknown', journalId })
    const [executed] = await ledgerOf(home)
    expect(executed).toMatchObject({ executions: 1 })
    const found = ['payout', 'reconcile', journalId, '--transaction-id', String(executed?.transactionId)]
    const reconciled = await paydesk([...found, '-p', 'sandbox', '--json'], { home })
    expect(reconciled).toMatchObject({ code: 0, json: { outcome: 'accepted', sumConfirmed: true } })
  })

  test('is named when the same payment is made anew under another id', async () => {
    const { home, journalId } = await turnedAway()
    const again = await paydesk([...create(), '--json'], { home })
    expect(again.code).toBe(0)
    expect(String(again.json.warnings)).toContain(journalId)
  })
})
