import { expect, test } from 'vitest'
import { beneficiaryIban } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'

test('payee list: the payees of the profile stand by name, and an empty list says so', async () => {
  const home = newHome()
  const run = (...argv: readonly string[]) => paydesk(['payee', ...argv, '-p', 'sandbox'], { home })
  expect(await run('list')).toMatchObject({ code: 0, stdout: 'No payees.\n' })
  expect(await run('list', '--json')).toMatchObject({ code: 0, stdout: '[]\n' })
  await run('add', '--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban)
  await run('add', '--beneficiary-name', 'Giorgi', '--to-iban', 'GE18SB1000000000000014')
  const { json } = await run('list', '--json')
  expect(json).toMatchObject([{ name: 'Giorgi' }, { name: 'Nino Beridze', account: beneficiaryIban }])
  const table = await paydesk(['payee', 'list', '-p', 'sandbox'], { home, terminal: true, columns: 80 })
  expect(table.stdout).toMatch(
    /^Nino Beridze +GE29 NB00 0000 0101 9049 17 +\d{4}-\d{2}-\d{2} \d\d:\d\d:\d\d +p-[0-9a-f]{12}$/m,
  )
  expect((await paydesk(['payee', 'list', '-p', 'sandbox-receiver', '--json'], { home })).stdout).toBe('[]\n')
})
