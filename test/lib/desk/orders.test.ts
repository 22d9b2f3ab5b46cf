/** A refusal that says "not any more" is told with what the order is instead. */
import { describe, expect, test } from 'vitest'
import { paydesk } from '../../kit/program.ts'
import { addFault, done, ledger, onSandbox, ordered, place, play } from '../../kit/world.ts'

const refund = (id: string, amount: string, ...more: readonly string[]) => [
  ...['order', 'refund', id, '--amount', amount, '--yes', ...onSandbox],
  ...more,
]

async function paid() {
  const around = place()
  const id = await ordered(around)
  await play(around, id)
  return { around, id }
}

describe('a refusal of a change', () => {
  test('while a refund runs says to wait for its end; after that the same command is taken', async () => {
    const { around, id } = await paid()
    await done(refund(id, '5', '--key', 'r1'), around)
    const second = await paydesk([...refund(id, '2', '--key', 'r2'), '--json'], around)
    expect(second.code).toBe(5)
    expect(second.error).toMatchObject({
      status: 'REFUND_REQUESTED',
      message: expect.stringContaining(
        'nothing was sent: the order is REFUND_REQUESTED (paid; a refund is on its way)',
      ),
      moneyMoved: 'no',
      hints: [expect.stringMatching(new RegExp(`^Wait until that refund has ended \\(\`paydesk order status ${id}`))],
    })
    around.clock.skip(10_000)
    await done(refund(id, '2', '--key', 'r2'), around)
    expect((await ledger(around)).orders).toMatchObject([{ refunds: 2 }])
  })

  test.each([
    ['cancel', 'paid', 'SUCCESS (paid) and cannot be cancelled'],
    ['refund', 'failed', 'and cannot be refunded now'],
  ] as const)('of order %s says what the order is', async (command, what, words) => {
    const around = place()
    const id = await ordered(around)
    if (what === 'paid') await play(around, id)
    const amount = command === 'cancel' ? [] : ['--amount', '1']
    const argv = ['order', command, id, ...amount, '--yes', ...onSandbox, '--json']
    const ended = await paydesk(argv, around)
    expect(ended.code).toBe(5)
    expect(ended.error.message).toContain(words)
    expect(ended.error.service).toMatchObject({ statusCode: expect.any(Number) })
  })

  test('a completion of an order that is paid is a conflict: someone took the money', async () => {
    const { around, id } = await paid()
    const ended = await paydesk(['order', 'complete', id, '--amount', '1', '--yes', ...onSandbox, '--json'], around)
    expect(ended.code).toBe(7)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown', status: 'SUCCESS', service: { statusCode: 6006 } })
  })

  test('whose order cannot be read is unknown: a request that was sent twice is refused like that, too', async () => {
    const { around, id } = await paid()
    await addFault(around.home, { op: 'order.status', at: 'before', kind: 'html502', times: 99 })
    const ended = await paydesk(['order', 'cancel', id, '--yes', ...onSandbox, '--json'], around)
    expect(ended.code).toBe(9)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown', service: { statusCode: 6006 } })
    expect(String(ended.error.hints)).toContain(`paydesk resume ${ended.error.journalId}`)
  })
})

test('a question that the service refuses names the id that it was about', async () => {
  const around = place()
  const id = await ordered(around)
  const ended = await paydesk(['card', 'get', id, ...onSandbox, '--json'], around)
  expect(ended.code).toBe(6)
  expect(String(ended.error.hints)).toContain(`paydesk order status ${id}`)
})

test('the word of the operator alone is never told as the state at the service', async () => {
  const { around, id } = await paid()
  await addFault(around.home, { op: 'order.refund', at: 'after', kind: 'reset' })
  const lost = await paydesk([...refund(id, '5', '--key', 'r1'), '--json'], around)
  expect(lost.code).toBe(9)
  const word = ['--settle', 'executed', '--because', 'on the statement', '--yes', ...onSandbox]
  const resolved = await paydesk(['resume', String(lost.error.journalId), ...word], around)
  expect(resolved.code, resolved.stderr).toBe(0)
  const replayed = await paydesk(refund(id, '5', '--key', 'r1'), around)
  for (const { stdout, stderr } of [resolved, replayed]) {
    expect(stderr).toContain('resolved as executed by your statement: on the statement')
    expect(stdout + stderr).not.toContain('the service has it')
  }
})
