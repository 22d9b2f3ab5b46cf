import { expect, test } from 'vitest'
import { inSandbox, order, ordered, place, play } from '../../../kit/order/scene.ts'
import { paydesk } from '../../../kit/program/paydesk.ts'

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
