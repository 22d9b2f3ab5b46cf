import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { paydesk } from '../../kit/program.ts'
import { asked, peopleAtHome } from '../../kit/team.ts'

test('approval show: tells the maker, the sum and the request as it will be sent, and an unknown id is not found (6)', async () => {
  const { around, anna } = await peopleAtHome({ from: '1000' })
  const held = await paydesk([...create({ key: 'k', amount: '1200' }), '--json'], around)
  const id = await asked(String(held.error.journalId), anna, around)
  const shown = await paydesk(['approval', 'show', id, '--json'], around)
  expect(shown.json, shown.stderr).toMatchObject({
    ...{ approvalId: id, state: 'waiting', subject: 'payment', id: held.error.journalId, sum: 'GEL 1200.00' },
    ...{ payee: 'GE29NB0000000101904917', maker: 'Anna', needs: 1, words: [], profile: 'sandbox' },
    request: { amount: 1200, beneficiaryName: 'Nino Beridze', toIban: 'GE29NB0000000101904917' },
  })
  const told = await paydesk(['approval', 'show', id], around)
  expect(told.stdout).toContain('waiting, 0 of 1')
  expect((await paydesk(['approval', 'show', 'a-1', '--json'], around)).code).toBe(6)
})
