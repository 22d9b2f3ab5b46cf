/** The time that one request may take: the one that is set, and no longer than the command has left. */
import { expect, test } from 'vitest'
import { exchange } from '../../../src/lib/client/exchange.ts'
import { orderStatus } from '../../../src/lib/contract/order/order.ts'
import type { SendLimits } from '../../../src/lib/http/client.ts'
import { identity, scripted } from '../../kit/scripted.ts'

async function limitsWith(left: number): Promise<Pick<SendLimits, 'connectTimeout' | 'answerTimeout'>> {
  const { desk } = await scripted('orders')
  const seen: SendLimits[] = []
  const transport: typeof desk.transport = async (_address, _request, limits) => {
    seen.push(limits)
    return { kind: 'unsent', why: 'only looked at' }
  }
  const line = { ...desk, transport, clock: { ...desk.clock, now: () => 1_000_000 } }
  const order = { integratorId: identity, integratorOrderId: identity }
  await exchange(line, orderStatus, order, null, 1_000_000 + left)
  const [limits] = seen
  if (!limits) throw new Error('nothing was sent')
  return { connectTimeout: limits.connectTimeout, answerTimeout: limits.answerTimeout }
}

test.each([
  [120_000, 5_000, 30_000],
  [10_000, 5_000, 10_000],
  [3_000, 3_000, 3_000],
  [0, 1, 1],
  [-5_000, 1, 1],
])('with %i ms left a connection has %i ms, an answer %i', async (left, connectTimeout, answerTimeout) => {
  expect(await limitsWith(left)).toEqual({ connectTimeout, answerTimeout })
})
