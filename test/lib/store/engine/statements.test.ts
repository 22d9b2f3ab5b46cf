/** The number of statements of one payout, in the journal and in the sandbox together. */
import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../../kit/program.ts'
import { watchStatements } from '../../../kit/store.ts'

/** More of them are work that is done twice. */
const most = 48

const payout = (key: string) => [
  ...['payout', 'create', '-p', 'sandbox', '--amount', '12.50', '--currency', 'GEL', '--key', key],
  ...['--to-iban', 'GE29NB0000000101904917', '--beneficiary-name', 'Nino Beridze', '--description', 'Salary'],
  ...['--yes', '--json'],
]

test(`payout create: a payout on the built-in sandbox costs at most ${most} statements`, async () => {
  const around = { home: newHome() }
  expect((await paydesk(payout('first'), around)).code).toBe(0)
  const statements = watchStatements()
  expect((await paydesk(payout('second'), around)).code).toBe(0)
  expect(statements.length).toBeGreaterThan(20)
  expect(statements.length).toBeLessThanOrEqual(most)
})
