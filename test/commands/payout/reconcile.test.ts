import { expect, test } from 'vitest'
import { impatient, stillClock } from '../../kit/clock.ts'
import { create, createToReceiver, type Flags } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addFault, ledgerOf } from '../../kit/world.ts'

/** A payout whose answer was lost and whose repeat the service answered with 5017. */
async function existing(argv = create()) {
  const home = newHome()
  await addFault(home, { at: 'after', kind: 'reset' })
  const around = { home, clock: stillClock(), random: impatient }
  const made = await paydesk([...argv, '--json'], around)
  expect(made, made.stderr).toMatchObject({
    code: 0,
    json: { outcome: 'exists', idUnknown: true, transactionId: null },
  })
  const profile = String(made.json.profile)
  const [executed] = await ledgerOf(home, around.clock)
  const reconcile = (id: unknown, transactionId: unknown, ...more: string[]) =>
    paydesk(
      ['payout', 'reconcile', String(id), '--transaction-id', String(transactionId), '-p', profile, ...more],
      around,
    )
  const shown = async () => (await paydesk(['journal', 'show', String(made.json.journalId), '--json'], around)).json
  const other = async (more: Flags) => (await paydesk([...create(more), '--json'], around)).json.transactionId
  return { home, receipt: made.json, transactionId: executed?.transactionId, reconcile, shown, other }
}

test('payout reconcile: a payout after a lost answer and 5017 gets its transactionId', async () => {
  const { receipt, transactionId, reconcile, shown } = await existing()
  expect(receipt.warnings).toEqual([
    expect.stringContaining(`paydesk payout reconcile ${receipt.uniqueId} --transaction-id <n> -p ${receipt.profile}`),
    expect.stringContaining('it is not confirmed that it executed GEL 12.50'),
  ])
  const ended = await succeeds(reconcile(receipt.uniqueId, transactionId, '--json'))
  expect(ended.json).toMatchObject({ outcome: 'accepted', transactionId, idUnknown: false, warnings: [] })
  expect(
    (ended.json.compared as { field: string; equal: boolean }[]).map(({ field, equal }) => [field, equal]),
  ).toEqual([
    ['uniqueId', true],
    ['amount', true],
    ['currency', true],
    ['toIban', true],
    ['description', true],
  ])
  expect(await shown()).toMatchObject({
    state: 'accepted',
    transactionId,
    because: expect.stringContaining(`reconciled with transaction ${transactionId}`),
  })
})

test('payout reconcile: the fields that the service does not show are named as not compared', async () => {
  const { receipt, transactionId, reconcile } = await existing(create({ 'birth-date': '29.02.1988' }))
  const table = await reconcile(receipt.uniqueId, transactionId)
  expect(table.code).toBe(0)
  expect(table.stdout).toContain('Not compared, because the service does not show it: beneficiaryName, birthDate.')
  expect(table.stdout).toMatch(/^uniqueId +\S+ +\S+$/m)
})

test('payout reconcile: a journal id names the payout, and for a receiver no IBAN is compared', async () => {
  const { receipt, transactionId, reconcile } = await existing(
    createToReceiver({ 'debtor-name': 'Acme LLC', 'debtor-identity-number': '123456789' }),
  )
  const ended = await succeeds(reconcile(receipt.journalId, transactionId, '--json'))
  expect((ended.json.compared as { field: string }[]).map(({ field }) => field)).not.toContain('toIban')
  expect(ended.json.notShown).toEqual(expect.arrayContaining(['receiverId', 'receiverType', 'debtorName']))
})

test('payout reconcile: the transaction of another payout is refused (7) with every difference, and changes nothing', async () => {
  const { receipt, reconcile, shown, other } = await existing()
  const before = await shown()
  const wrong = await other({ amount: '99', currency: 'USD', description: 'Another' })
  const ended = await reconcile(receipt.uniqueId, wrong, '--json')
  expect(ended).toMatchObject({ code: 7, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'duplicate', moneyMoved: 'unknown', journalId: receipt.journalId })
  for (const field of ['uniqueId', 'amount', 'currency', 'description']) {
    expect(String(ended.error.message)).toContain(`${field} is `)
  }
  expect(await shown()).toEqual(before)
})

test('payout reconcile: an unknown transaction is 6, and changes nothing', async () => {
  const { receipt, reconcile, shown } = await existing()
  const before = await shown()
  expect((await reconcile(receipt.uniqueId, '1')).code).toBe(6)
  expect(await shown()).toEqual(before)
})

test('payout reconcile: an unknown payout is closed, and resume finds nothing open', async () => {
  const home = newHome()
  await addFault(home, { at: 'after', kind: 'reset', times: 99 })
  const lost = await paydesk([...create(), '--json'], { home, clock: stillClock(), random: impatient })
  expect(lost.code).toBe(9)
  const [executed] = await ledgerOf(home)
  const argv = ['payout', 'reconcile', String(lost.error.uniqueId), '--transaction-id', String(executed?.transactionId)]
  expect(await paydesk([...argv, '-p', 'sandbox'], { home })).toMatchObject({ code: 0 })
  const again = await paydesk(['resume', '-p', 'sandbox', '--json'], { home })
  expect(again).toMatchObject({ code: 0, json: [] })
})

test('payout reconcile: the same number again is 0, and another one is refused (7) and changes nothing', async () => {
  const { receipt, transactionId, reconcile, shown, other } = await existing()
  await reconcile(receipt.uniqueId, transactionId)
  const closed = await shown()
  expect(await reconcile(receipt.uniqueId, transactionId)).toMatchObject({ code: 0 })
  const wrong = await other({ amount: '99' })
  const ended = await reconcile(receipt.uniqueId, wrong, '--json')
  expect(ended.code).toBe(7)
  expect(ended.error.moneyMoved).not.toBe('no')
  expect(await shown()).toEqual(closed)
})

test('payout reconcile: a transactionId that is no number is 2, and an id that the journal does not know 6', async () => {
  const { receipt, reconcile } = await existing()
  expect((await reconcile(receipt.uniqueId, '12a')).code).toBe(2)
  expect((await reconcile('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', '1')).code).toBe(6)
  expect((await paydesk(['payout', 'reconcile', String(receipt.uniqueId)], { home: newHome() })).code).toBe(2)
})
