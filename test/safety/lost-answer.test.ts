/** An answer is lost, and the repeat is refused: only a refusal that depends on the body alone ends the unknown. */
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create, createToReceiver } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, json, serviceByHand } from '../kit/service.ts'
import { addFault, ledgerOf } from '../kit/world.ts'

test('payout create: a lost answer followed by 5038 stays unknown (9), until payout reconcile finds the transaction', async () => {
  const home = newHome()
  const around = { home, clock: hurriedClock(), random: impatient }
  await addFault(home, { at: 'after', kind: 'reset' })
  // More than half of the balance: the first try drains it, and the repeat of the very same payout is not covered.
  const ended = await paydesk([...createToReceiver({ amount: '300000' }), '--json'], around)
  expect(ended.code, ended.stderr).toBe(9)
  expect(ended.stdout).toBe('')
  expect(ended.error).toMatchObject({
    name: 'unknown',
    moneyMoved: 'unknown',
    retry: 'same-id',
    service: { http: 400, statusCode: 5038, message: expect.stringContaining('Insufficient balance') },
  })
  expect(String(ended.error.message)).toContain('5038')
  const { journalId, uniqueId } = ended.error
  expect(await ledgerOf(home)).toMatchObject([{ uniqueId, executions: 1, amount: { text: '300000.00' } }])
  const shown = await paydesk(['journal', 'show', String(journalId), '--json'], { home })
  expect(shown.json).toMatchObject({
    state: 'unknown',
    transactionId: null,
    attempts: [
      { number: 1, outcome: 'unknown', statusCode: null },
      { number: 2, outcome: 'refused', statusCode: 5038 },
    ],
  })

  // However often it is asked again: 5038 stays what it is, no proof.
  const resumed = await paydesk(['resume', String(journalId), '-p', 'sandbox-receiver', '--json'], around)
  expect(resumed.code).toBe(9)
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])

  // The transaction is found by other means, and closes it.
  const [executed] = await ledgerOf(home)
  const reconciled = await paydesk(
    [
      ...['payout', 'reconcile', String(uniqueId), '--transaction-id', String(executed?.transactionId)],
      ...['-p', 'sandbox-receiver'],
    ],
    around,
  )
  expect(reconciled.code, reconciled.stderr).toBe(0)
})

test('payout create: a lost answer followed by 5023, which depends on the body alone, is refused (5)', async () => {
  const home = newHome()
  const around = { home, clock: hurriedClock(), random: impatient }
  const service = await serviceByHand(({ path }, count) => {
    if (path !== '/api/distributor') return undefined
    return count === 1 ? 'reset' : json({ message: 'To iban has invalid format', statusCode: 5023 }, 400)
  })
  await addHandProfile(home, service.url)
  const ended = await paydesk([...create({ profile: 'hand' }), '--json'], around)
  expect(ended.code, ended.stderr).toBe(5)
  expect(ended.error).toMatchObject({ service: { statusCode: 5023 }, moneyMoved: 'no' })
})
