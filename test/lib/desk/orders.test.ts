import { expect, test } from 'vitest'
import { paydesk, succeeds } from '../../kit/program.ts'
import { addFault, done, onSandbox, ordered, place, play } from '../../kit/world.ts'

test('a question that the service refuses names the id that it was about', async () => {
  const around = place()
  const id = await ordered(around)
  const ended = await paydesk(['card', 'get', id, ...onSandbox, '--json'], around)
  expect(ended.code).toBe(6)
  expect(String(ended.error.hints)).toContain(`paydesk order status ${id}`)
})

test('a refusal of a change says what the order is instead', async () => {
  const around = place()
  const id = await ordered(around)
  await play(around, id)
  const cancelled = await paydesk(['order', 'cancel', id, '--yes', ...onSandbox, '--json'], around)
  expect(cancelled.code).toBe(5)
  expect(cancelled.error.message).toContain('SUCCESS (paid) and cannot be cancelled')
  const refund = (amount: string) => ['order', 'refund', id, '--amount', amount, '--yes', ...onSandbox]
  await done(refund('5'), around)
  const second = await paydesk([...refund('2'), '--json'], around)
  expect(second.code).toBe(5)
  expect(second.error.message).toContain('the order is REFUND_REQUESTED (paid; a refund is on its way)')
  expect(String(second.error.hints)).toMatch(/^Wait until that refund has ended \(`paydesk order status /)
})

test('the word of the operator alone is never told as the state at the service', async () => {
  const around = place()
  const id = await ordered(around)
  await play(around, id)
  await addFault(around.home, { op: 'order.refund', at: 'after', kind: 'reset' })
  const refund = ['order', 'refund', id, '--amount', '5', '--yes', '--key', 'r1', ...onSandbox]
  const lost = await paydesk([...refund, '--json'], around)
  expect(lost.code).toBe(9)
  const word = ['--settle', 'executed', '--because', 'on the statement', '--yes', ...onSandbox]
  const resolved = await succeeds(paydesk(['resume', String(lost.error.journalId), ...word], around))
  const replayed = await paydesk(refund, around)
  for (const { stdout, stderr } of [resolved, replayed]) {
    expect(stderr).toContain('resolved as executed by your statement: on the statement')
    expect(stdout + stderr).not.toContain('the service has it')
  }
})
