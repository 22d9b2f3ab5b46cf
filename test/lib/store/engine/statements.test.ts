import { expect, onTestFinished, test } from 'vitest'
import { statements } from '../../../../src/lib/store/engine/sqlite/dialect.ts'
import { newHome, paydesk } from '../../../kit/program/paydesk.ts'

/** The statements of one payout in both databases. More of them are work that is done twice. */
const most = 54

/** Counts the statements of this process from here on. */
function counted(): () => number {
  let count = 0
  const add = () => {
    count += 1
  }
  statements.subscribe(add)
  onTestFinished(() => {
    statements.unsubscribe(add)
  })
  return () => count
}

const payout = (key: string) => [
  ...['payout', 'create', '-p', 'sandbox', '--amount', '12.50', '--currency', 'GEL', '--key', key],
  ...['--to-iban', 'GE29NB0000000101904917', '--beneficiary-name', 'Nino Beridze', '--description', 'Salary'],
  ...['--yes', '--json'],
]

test('a payout on the built-in sandbox asks the databases no more than it has to', async () => {
  const around = { home: newHome() }
  expect((await paydesk(payout('first'), around)).code).toBe(0)
  const count = counted()
  expect((await paydesk(payout('second'), around)).code).toBe(0)
  expect(count()).toBeGreaterThan(20)
  expect(count()).toBeLessThanOrEqual(most)
})
