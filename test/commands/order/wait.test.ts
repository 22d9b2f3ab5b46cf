import { expect, test } from 'vitest'
import { paydesk, type Surroundings } from '../../kit/program.ts'
import { ordersByHand } from '../../kit/service.ts'
import { addFault, done, onSandbox, order, ordered, place, play } from '../../kit/world.ts'

/** An order of a service that shows no status. */
async function byHandOrder(around: Surroundings) {
  const uniqueId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
  const { stop } = await ordersByHand(around.home, ({ name }) =>
    name === 'order.create'
      ? { value: { integratorOrderId: uniqueId, urlForQR: 'https://pay.example/1' } }
      : { plain: 'reset' },
  )
  const { json } = await done(order({ profile: 'hand', 'integrator-order-id': uniqueId }), around)
  return { uniqueId, journalId: json.journalId, stop }
}

const wait = (id: string, ...more: readonly string[]) => ['order', 'wait', id, ...onSandbox, ...more]

test('order wait: a paid order is 0, and still is after its refund', async () => {
  const around = place()
  const id = await ordered(around)
  await play(around, id, 'paid', 'second-step')
  expect((await done(wait(id), around)).json.status).toBe('SUCCESS')
  await done(['order', 'refund', id, '--amount', '12.50', '--yes', ...onSandbox], around)
  expect((await done(wait(id), around)).json.status).toBe('REFUND_REQUESTED')
})

test.each([
  ['declined', 'FAILED'],
  ['expired', 'EXPIRED'],
] as const)('order wait: an order that was %s is 5 with status %s', async (what, status) => {
  const around = place()
  const id = await ordered(around, { 'valid-until': status === 'EXPIRED' ? '2099-12-31 23:59:59' : null })
  await play(around, id, what)
  const ended = await paydesk(wait(id, '--json'), around)
  expect(ended).toMatchObject({ code: 5, stdout: '' })
  expect(ended.error).toMatchObject({ status, uniqueId: id, moneyMoved: 'no' })
})

test('order wait: when the time is up it is 8 with the last status', async () => {
  const around = place()
  const id = await ordered(around)
  const ended = await paydesk(wait(id, '--json', '--timeout', '60s'), around)
  expect(ended.code).toBe(8)
  expect(ended.json).toMatchObject({ status: 'INITIAL', integratorOrderId: id })
  expect(ended.error.hints).toEqual([`Wait longer: \`paydesk order wait ${id} -p sandbox\`.`])
})

test('order wait: a blocked amount is 8, and the hint names order complete', async () => {
  const around = place()
  const id = await ordered(around, { 'pay-with-pre-auth': true })
  await play(around, id)
  const ended = await paydesk(wait(id, '--json', '--timeout', '60s'), around)
  expect(ended.code).toBe(8)
  expect(ended.json.status).toBe('WAITING_FOR_CONFIRM')
  expect(String(ended.error.hints)).toContain(`paydesk order complete ${id} --amount`)
})

test('order wait: lost answers are followed by another read', async () => {
  const around = place()
  const id = await ordered(around)
  await play(around, id)
  await addFault(around.home, { op: 'order.status', at: 'before', kind: 'html502', times: 7 })
  expect((await done(wait(id), around)).json.status).toBe('SUCCESS')
})

test('order wait: without any answer it is 9, and 11 if no request left this machine', async () => {
  const around = place()
  const { journalId, uniqueId, stop } = await byHandOrder(around)
  const unanswered = await paydesk(['order', 'wait', uniqueId, '-p', 'hand', '--json', '--timeout', '60s'], around)
  expect(unanswered.code, unanswered.stderr).toBe(9)
  expect(unanswered.error).toMatchObject({ uniqueId, journalId, moneyMoved: 'unknown' })
  await stop()
  const unsent = await paydesk(['order', 'wait', uniqueId, '-p', 'hand', '--json', '--timeout', '60s'], around)
  expect(unsent.code, unsent.stderr).toBe(11)
  expect(unsent.error).toMatchObject({ uniqueId, moneyMoved: 'unknown' })
  expect(unsent.error.message).toContain('the service could not be reached')
})

test('order wait: ^C is 130, and the order goes on', async () => {
  const around = place()
  const id = await ordered(around)
  const clock = {
    ...around.clock,
    sleep: async (_milliseconds: number, signal?: AbortSignal) => {
      send('SIGINT')
      signal?.throwIfAborted()
    },
  }
  let send: (signal: 'SIGINT') => void = () => undefined
  const ended = await paydesk(wait(id), {
    ...around,
    clock,
    signals: (given) => {
      send = given
    },
  })
  expect(ended.code).toBe(130)
  expect(ended.stderr).toContain('the order goes on')
})
