import { expect, test } from 'vitest'
import { newHome, paydesk } from './kit/program.ts'

test('the first payout on the sandbox prints a receipt', async () => {
  const home = newHome()
  const ended = await paydesk(
    [
      'payout',
      'create',
      '-p',
      'sandbox',
      '--amount',
      '12.50',
      '--currency',
      'GEL',
      '--to-iban',
      'GE29NB0000000101904917',
      '--beneficiary-name',
      'Nino Beridze',
      '--description',
      'Salary, November',
      '--yes',
      '--json',
    ],
    { home },
  )
  expect(ended.stderr).toBe('')
  expect(ended.code).toBe(0)
  expect(ended.json).toMatchObject({ outcome: 'accepted', amount: 12.5, environment: 'sandbox' })
})
