/** `order refund` at a terminal: the question is about the order of the argument, and shows who gives back which part. */
import { expect, test } from 'vitest'
import { answers } from '../../kit/answers.ts'
import { inSandbox, ledger, ordered, place, play, tamar } from '../../kit/order/scene.ts'
import { paydesk } from '../../kit/program/paydesk.ts'

const asking = (id: string, ...more: readonly string[]) => [
  ...['order', 'refund', id, '--amount', '5', '--json', ...inSandbox],
  ...more,
]

async function paid(more = {}) {
  const around = place()
  const id = await ordered(around, more)
  await play(around, id)
  return { around, id }
}

test('order refund at a terminal: mend offers the amount, and not another order', async () => {
  const { around, id } = await paid()
  let screen = ''
  const person = answers(
    [/Send it\?/, 'mend\r'],
    [/What is to be mended\?/, '\r'],
    [/How much goes back\?/, '4\r'],
    [/GEL 4\.00[\s\S]*Send it\?/, 'send\r'],
  )
  const dialogue: typeof person = (drawn, type) => {
    screen = drawn
    person(drawn, type)
  }
  const ended = await paydesk(asking(id), { ...around, terminal: true, dialogue })
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.json).toMatchObject({ integratorOrderId: id, amount: 4 })
  expect(screen).toContain('refundInitiator')
  expect(screen).not.toContain('integratorOrderId')
  expect((await ledger(around)).orders).toMatchObject([{ refunds: 1 }])
})

test('order refund at a terminal: the question names who gives back which part; cancel is 3', async () => {
  const { around, id } = await paid()
  const parts = ['--refund-detail', `USER:${tamar}=2`, '--refund-detail', 'IBAN:GE29NB0000000101904917=3']
  const ended = await paydesk(asking(id, ...parts), {
    ...around,
    terminal: true,
    dialogue: answers([/Send it\?/, 'cancel\r']),
  })
  expect(ended.code).toBe(3)
  expect(ended.stderr).toContain(`given back by USER ${tamar}: 2`)
  expect(ended.stderr).toContain('given back by IBAN GE29NB0000000101904917: 3')
})
