import { expect, test } from 'vitest'
import { answers, paydesk, succeeds } from '../../kit/program.ts'
import { done, ledger, onSandbox, ordered, place, play } from '../../kit/world.ts'

const complete = (id: string, amount: string, ...more: readonly string[]) => [
  ...['order', 'complete', id, '--amount', amount, ...onSandbox],
  ...more,
]

async function blocked() {
  const around = place()
  const id = await ordered(around, { 'pay-with-pre-auth': true })
  await play(around, id)
  return { around, id }
}

test('order complete: the blocked amount is captured once and replayed, and another amount is refused (7)', async () => {
  const { around, id } = await blocked()
  const first = await done(complete(id, '12.50', '--yes'), around)
  expect(first.json).toMatchObject({
    operation: 'order.complete',
    integratorOrderId: id,
    amount: 12.5,
    currency: 'GEL',
  })
  expect((await done(complete(id, '12.5', '--yes'), around)).json.replayed).toBe(true)
  expect((await paydesk(complete(id, '3', '--yes'), around)).code).toBe(7)
  expect((await ledger(around)).orders).toMatchObject([{ status: 'SUCCESS', charges: 1 }])
})

test('order complete --confirm: the phrase needs the currency that the journal knows (3 without it)', async () => {
  const { around, id } = await blocked()
  expect((await paydesk(complete(id, '12.50', '--confirm', '12.50'), around)).code).toBe(3)
  expect((await paydesk(complete(id, '12.50', '--confirm', 'gel 12.5'), around)).code).toBe(0)
})

test('order complete: an order that blocked nothing is refused (5), and a missing --amount is 2', async () => {
  const around = place()
  const id = await ordered(around)
  expect((await paydesk(complete(id, '12.50', '--yes'), around)).code).toBe(5)
  const without = await paydesk(['order', 'complete', id, '--yes', ...onSandbox], around)
  expect(without.code).toBe(2)
  expect(without.stderr).toContain('--amount is required')
})

test('order complete: more than the order was made for is refused (2) before anything is sent, and left to the service with --no-local-check', async () => {
  const { around, id } = await blocked()
  const much = await paydesk(complete(id, '12.51', '--yes', '--json'), around)
  expect([much.code, much.error.message], much.stderr).toEqual([
    2,
    "--amount GEL 12.51 is more than the order's GEL 12.50",
  ])
  expect((await paydesk(complete(id, '12.51', '--yes', '--no-local-check'), around)).code).toBe(5)
})

test('order complete at a terminal: a sum above what is blocked is told at its question, and asked for again', async () => {
  const { around, id } = await blocked()
  const person = answers(
    [/How much|amount/, '12.51\r'],
    [/GEL 12\.51 is more than the order's GEL 12\.50/, `${'\u007f'.repeat(5)}12.50\r`],
    [/Send it\?/, 'send\r'],
  )
  const argv = ['order', 'complete', id, '--json', ...onSandbox]
  const ended = await succeeds(paydesk(argv, { ...around, columns: 200, terminal: true, dialogue: person }))
  expect(ended.json).toMatchObject({ integratorOrderId: id, amount: 12.5 })
})
