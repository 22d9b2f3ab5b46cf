import { expect, test } from 'vitest'
import { beneficiaryIban, mustVerify } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { valueIn } from '../../kit/store.ts'

const otherIban = 'GE18SB1000000000000014'

async function listed() {
  const home = newHome()
  const run = (...argv: readonly string[]) => paydesk(['payee', ...argv, '-p', 'sandbox', '--json'], { home })
  const first = await run('add', '--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban)
  const ids = [String(first.json.payeeId)]
  return { home, run, ids }
}

test.each([
  ['its id', (id: string) => id],
  ['its account', () => 'ge29 nb00 0000 0101 9049 17'],
  ['its name', () => 'nino beridze'],
] as const)('payee remove: a payee named by %s is removed, without a trace of the account', async (_by, name) => {
  const { home, run, ids } = await listed()
  const removed = await run('remove', name(ids[0] ?? ''))
  expect(removed.json, removed.stderr).toMatchObject({ payeeId: ids[0], account: beneficiaryIban })
  expect((await run('list')).stdout).toBe('[]\n')
  await mustVerify({ home })
  expect(String(valueIn(home, 'select group_concat(changes) from links'))).not.toContain(beneficiaryIban)
  expect((await run('remove', ids[0] ?? '')).code).toBe(6)
})

test('payee remove: a name of two payees is refused (2) with their ids', async () => {
  const { run, ids } = await listed()
  const second = await run('add', '--beneficiary-name', 'Nino Beridze', '--to-iban', otherIban)
  const ended = await run('remove', 'Nino Beridze')
  expect(ended.code).toBe(2)
  for (const id of [...ids, String(second.json.payeeId)]) expect(String(ended.error.hints)).toContain(id)
  expect((await run('remove', otherIban)).code).toBe(0)
})
