import { expect, test } from 'vitest'
import { writeName } from '../../../../src/lib/cli/views/write-name.ts'
import { operations } from '../../../../src/lib/contract/operations.ts'
import { createPayout } from '../../../../src/lib/contract/payout/payout.ts'
import { inSandbox, order, ordered, place, play } from '../../../kit/order/scene.ts'
import { paydesk } from '../../../kit/program/paydesk.ts'

test('every write has a name in words, none is called by its operation', () => {
  // A payout has a receipt of its own.
  const writes = operations.filter(({ name, effect }) => effect === 'write' && name !== createPayout.name)
  expect(writes.map(({ name }) => writeName(name)).filter((name) => !/^[A-Z][a-z]+( [a-z]+)*$/.test(name))).toEqual([])
})

test('receipts of orders are titled like those of payouts', async () => {
  const around = place()
  const titled = async (argv: readonly string[]) => (await paydesk(argv, around)).stdout.split('\n')[0]
  expect(await titled(order())).toBe('Order accepted')
  const paid = await ordered(around)
  await play(around, paid)
  const more = ['--yes', ...inSandbox]
  expect(await titled(['order', 'refund', paid, '--amount', '1', ...more])).toBe('Refund accepted')
  expect(await titled(['order', 'cancel', await ordered(around), ...more])).toBe('Cancellation accepted')
})
