/** A command line in another encoding than UTF-8: Node replaces the letters that it cannot decode. */
import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'

test('payout create: a name with letters that could not be read is refused (2), and nothing is sent', async () => {
  const home = newHome()
  const ended = await paydesk([...create({ 'beneficiary-name': 'M\uFFFDller' }), '--json'], { home })
  expect(ended).toMatchObject({ code: 2, error: { moneyMoved: 'no' } })
  expect(ended.error.message).toContain('--beneficiary-name holds a character that could not be read')
  expect((await paydesk(['payout', 'list', '-p', 'sandbox', '--json'], { home })).json).toMatchObject({ rows: [] })
})
