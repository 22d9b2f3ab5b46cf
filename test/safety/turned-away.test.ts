/**
 * A service that executes a payout and then says 429 or 401 lies: by the table that is 5 or 4. The journal's record of it
 * must still lead back to that payout, and stand in the way of a second one.
 */
import { describe, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { hurriedClock, impatient } from '../kit/program/hurried.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addFault, clearFaults, ledgerOf } from '../kit/world.ts'

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
