/** `order refund` at a terminal: the question is about the order of the argument, and shows who gives back which part. */
import { expect, test } from 'vitest'
import { answers, atTerminal, paydesk, succeeds } from '../../kit/program.ts'
import { done, ledger, onSandbox, ordered, place, play, shop, tamar } from '../../kit/world.ts'

const asking = (id: string, ...more: readonly string[]) => [
  ...['order', 'refund', id, '--amount', '5', '--json', ...onSandbox],
  ...more,
]

async function paid(more = {}) {
  const around = place()
  const id = await ordered(around, more)
  await play(around, id)
  return { around, id }
}

test('order refund at a terminal: edit offers the amount, and not another order', async () => {
  const { around, id } = await paid()
  let screen = ''
  const person = answers(
    [/Send it\?/, 'edit\r'],
    [/What is to be edited\?/, '\r'],
    [/How much should be refunded\?/, '4\r'],
    [/GEL 4\.00[\s\S]*Send it\?/, 'send\r'],
  )
  const dialogue: typeof person = (drawn, type) => {
    screen = drawn
    person(drawn, type)
  }
  const ended = await succeeds(paydesk(asking(id), { ...around, terminal: true, dialogue }))
  expect(ended.json).toMatchObject({ integratorOrderId: id, amount: 4 })
  expect(screen).toContain('refund initiator')
  expect(screen).not.toContain('integratorOrderId')
  expect((await ledger(around)).orders).toMatchObject([{ refunds: 1 }])
})

test('order refund at a terminal: a sum above what is left is told at its question, and asked for again', async () => {
  const { around, id } = await paid()
  expect((await paydesk(['order', 'refund', id, '--amount', '5', '--yes', ...onSandbox], around)).code).toBe(0)
  const person = answers(
    [/How much should be refunded\?/, '12.50\r'],
    [/GEL 12\.50 is more than the GEL 7\.50 that is left to refund/, `${'\u007f'.repeat(5)}7.50\r`],
    [/Refund GEL 7\.50 of GEL 12\.50[\s\S]*Send it\?/, 'cancel\r'],
  )
  const argv = ['order', 'refund', id, ...onSandbox]
  const ended = await paydesk(argv, { ...around, columns: 200, terminal: true, dialogue: person })
  expect(ended.code, ended.stderr).toBe(3)
  expect(ended.stderr).not.toContain('--amount')
})

test('order refund at a terminal: the question names who gives back which part; cancel is 3', async () => {
  const { around, id } = await paid()
  const parts = ['--refund-detail', `USER:${tamar}=2`, '--refund-detail', 'IBAN:GE29NB0000000101904917=3']
  const ended = await atTerminal(asking(id, ...parts), around, [/Send it\?/, 'cancel\r'])
  expect(ended.code).toBe(3)
  expect(ended.stderr).toContain(`given back by USER ${tamar}: 2`)
  expect(ended.stderr).toContain('given back by IBAN GE29NB0000000101904917: 3')
})

async function shownFor(
  argv: readonly string[],
  around: Awaited<ReturnType<typeof paid>>['around'],
  asked = /Send it\?/,
) {
  let screen = ''
  const person = answers([asked, 'n\r'])
  const dialogue: typeof person = (drawn, type) => {
    screen = drawn
    person(drawn, type)
  }
  const ended = await paydesk(argv, { ...around, columns: 200, terminal: true, dialogue })
  expect(ended.code, ended.stderr).toBe(3)
  return screen
}

test('order refund at a terminal: the question tells total, refunded, left, shop, status and a suspected duplicate', async () => {
  const { around, id } = await paid({ amount: '100' })
  const first = await done(['order', 'refund', id, '--amount', '5', '--yes', ...onSandbox], around)
  around.clock.skip(10_000)
  const screen = await shownFor(asking(id), around)
  expect(screen).toContain('Refund GEL 5.00 of GEL 100.00')
  expect(screen).toContain(`on  order ${id}`)
  expect(screen).toContain(`paid to BRANCH ${shop}`)
  expect(screen).toContain('reads PARTIALLY_REFUNDED (paid; a part went back)')
  expect(screen).toContain('GEL 5.00 was refunded before or is being refunded; GEL 95.00 is left')
  // Its time in the style of every screen.
  expect(screen).toMatch(
    new RegExp(
      `CAUTION: the same amount was sent for the same order .* ${first.json.journalId} \\(accepted, [\\d-]+ [\\d:]{8} \\(UTC`,
    ),
  )
})

test('order refund at a terminal: an order that cannot be refunded now is told above the question, which offers no send', async () => {
  const around = place()
  const screen = await shownFor(asking(await ordered(around)), around, /It cannot be sent now\. \(edit or cancel\)/)
  expect(screen).toContain('STOP: an order in INITIAL cannot be refunded now')
  expect(screen).not.toContain('Send it?')
})

test('order refund at a terminal: a refund on its way is a caution, because the order is read again before another is sent', async () => {
  const { around, id } = await paid({ amount: '100' })
  await done(['order', 'refund', id, '--amount', '5', '--yes', ...onSandbox], around)
  const screen = await shownFor(asking(id), around)
  expect(screen).toContain('CAUTION: a refund of this order was on its way when it was last read (REFUND_REQUESTED)')
  expect(screen).not.toContain('STOP')
})

test('order refund at a terminal: an amount above what is left is refused (2) before the question, and at an edit complained of', async () => {
  const { around, id } = await paid({ amount: '10' })
  const much = await paydesk(['order', 'refund', id, '--amount', '11', ...onSandbox], { ...around, terminal: true })
  expect(much.code, much.stderr).toBe(2)
  const dialogue = answers(
    [/Send it\?/, 'edit\r'],
    [/What is to be edited\?[\s\S]*amount: 5/, '\r'],
    [/How much should be refunded\?/, '11\r'],
    [/more than the GEL 10\.00 that is left[\s\S]*What is to be edited\?/, '\r'],
    [/How much should be refunded\?/, '10\r'],
    [/Refund GEL 10\.00 of GEL 10\.00[\s\S]*Send it\?/, 'send\r'],
  )
  await succeeds(paydesk(asking(id), { ...around, terminal: true, dialogue }))
})

test('order refund, order status and order wait: a profile without orders is told (4) which profile the order was made with', async () => {
  const { around, id } = await paid()
  const added = ['profile', 'add', 'acme', '--base-url', 'https://pay.example.com', '--environment', 'test']
  expect((await paydesk([...added, '--client-id', tamar], around)).code).toBe(0)
  for (const argv of [
    ['order', 'refund', id, '--amount', '5', '--yes'],
    ['order', 'status', id],
    ['order', 'wait', id],
  ]) {
    const ended = await paydesk([...argv, '-p', 'acme', '--json'], around)
    expect(ended.code, ended.stderr).toBe(4)
    expect(ended.error.hints).toContain(`${id} was made with profile sandbox: add -p sandbox.`)
  }
})
