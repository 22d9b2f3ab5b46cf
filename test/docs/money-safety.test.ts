/** The table of docs/explanation/money-safety.md, compared with the contract. */
import { expect, test } from 'vitest'
import { operations } from '../../src/lib/contract/operations.ts'
import { plain, tableBelow } from './typed/page.ts'

test('money-safety.md#what-may-be-repeated has a row for every write, as the contract has it', () => {
  const rows = tableBelow('money-safety.md', 'what-may-be-repeated').map((cells) => cells.map(plain))
  const writes = operations.flatMap((operation) => (operation.effect === 'write' ? [operation] : []))
  const row = (name: string, { unanswered, busy, renewsToken }: ReturnType<(typeof writes)[number]['retryPolicy']>) => [
    name,
    unanswered,
    busy,
    renewsToken ? 'sign in once more, repeat once' : 'stop',
  ]
  const known = writes.flatMap(({ name, retryPolicy }) => {
    const usual = row(name, retryPolicy({}))
    const charge = row(`${name} with cardToken`, retryPolicy({ cardToken: 'x' }))
    return usual.slice(1).join() === charge.slice(1).join() ? [usual] : [usual, charge]
  })
  expect(rows).toEqual(known)
})
