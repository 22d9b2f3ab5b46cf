import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atTerminal, paydesk } from '../../kit/program.ts'
import { addFault, done, ledger, onSandbox, order, ordered, place, play, shop, tamar } from '../../kit/world.ts'

const refund = (id: string, amount: string, ...more: readonly string[]) => [
  ...['order', 'refund', id, '--amount', amount, '--yes', ...onSandbox],
  ...more,
]

async function paid(more = {}) {
  const around = place()
  const id = await ordered(around, more)
  await play(around, id)
  return { around, id }
}

test('order refund: it is accepted as requested, and the status shows its end', async () => {
  const { around, id } = await paid()
  const { json } = await done(refund(id, '12.50', '--refund-initiator', 'OPERATOR'), around)
  expect(json).toMatchObject({ operation: 'order.refund', status: 'REFUND_REQUESTED', amount: 12.5, currency: 'GEL' })
  around.clock.skip(10_000)
  expect(String((await done(['order', 'status', id, ...onSandbox], around)).json.status)).toMatch(/^REFUNDED_BY_/)
})

test('order refund --key: the same refund is replayed, and another amount is refused (7)', async () => {
  const { around, id } = await paid()
  const first = await done(refund(id, '5', '--key', 'r-1'), around)
  const again = await done(refund(id, '5.00', '--key', 'r-1'), around)
  expect(again.json).toMatchObject({ replayed: true, journalId: first.json.journalId })
  expect((await paydesk(refund(id, '6', '--key', 'r-1'), around)).code).toBe(7)
  expect((await ledger(around)).orders).toMatchObject([{ refunds: 1 }])
})

test('order refund: a second one of the same sum is sent with a warning', async () => {
  const { around, id } = await paid()
  const first = await done(refund(id, '5'), around)
  around.clock.skip(10_000)
  const second = await done(refund(id, '5'), around)
  expect(second.json.warnings).toEqual([expect.stringContaining(String(first.json.journalId))])
  expect((await ledger(around)).orders).toMatchObject([{ refunds: 2 }])
})

test('order refund: details by flags or file are sent, and details that do not add up are refused (2)', async () => {
  const around = place()
  const id = await ordered(around)
  const argv = refund(id, '5', '--dry-run', '--refund-detail', `USER:${tamar}=2`, '--refund-detail', `BRANCH:${shop}=3`)
  const refundDetails = [
    { receiverType: 'USER', receiverIdentifier: tamar, amount: 2 },
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 3 },
  ]
  expect((await done(argv, around)).json.payload).toMatchObject({ amount: 5, refundDetails })
  const file = join(around.home, 'refund.json')
  writeFileSync(file, JSON.stringify({ amount: 5, refundDetails }))
  const byFile = ['order', 'refund', id, '--file', file, '--yes', '--dry-run', ...onSandbox]
  expect((await done(byFile, around)).json.payload).toMatchObject({ amount: 5, refundDetails })
  const wrong = await paydesk(refund(id, '5', '--refund-detail', `USER:${tamar}=2`), around)
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('--refund-detail must add up to the amount of the refund')
})

test('order refund: consent needs the currency that the journal knows (3 with another)', async () => {
  const { around, id } = await paid({ currency: 'USD' })
  const argv = ['order', 'refund', id, '--amount', '5', ...onSandbox]
  const asked = await atTerminal(argv, around, [/Send it\?/, 'no\r'])
  expect(asked.code).toBe(3)
  expect(asked.stderr).toContain('USD 5.00')
  expect((await paydesk([...argv, '--confirm', 'GEL 5'], around)).code).toBe(3)
  expect((await paydesk([...argv, '--confirm', 'USD 5'], around)).code).toBe(0)
})

test('order refund at a terminal: Enter alone is no consent, and the question is asked again', async () => {
  const { around, id } = await paid({ currency: 'USD' })
  const argv = ['order', 'refund', id, '--amount', '5', ...onSandbox]
  const asked = await atTerminal(argv, around, [/Send it\?/, '\r'], [/Type send, edit or cancel/, 'no\r'])
  expect(asked).toMatchObject({ code: 3, stdout: '' })
  expect(asked.stderr).toContain('Type send, edit or cancel')
})

test("order refund --key: receipt and replay have the order's currency", async () => {
  const { around, id } = await paid({ currency: 'USD' })
  const seen = await paydesk(refund(id, '5', '--key', 'r-1'), around)
  expect(seen.stdout).toContain('USD 5.00')
  const again = await done(refund(id, '5', '--key', 'r-1'), around)
  expect(again.json).toMatchObject({ replayed: true, amount: 5, currency: 'USD' })
})

test('order refund: an order of another machine has no currency, and is a suspected duplicate once it has one', async () => {
  const there = await paid({ currency: 'USD' })
  const around = place()
  cpSync(join(there.around.home, 'sandbox'), join(around.home, 'sandbox'), { recursive: true })
  const first = await done(refund(there.id, '5'), around)
  expect(first.json).toMatchObject({ amount: 5, currency: null })
  around.clock.skip(10_000)
  const named = await done(refund(there.id, '2', '--key', 'r-2'), around)
  around.clock.skip(10_000)
  // From now on this journal knows the order, and its currency.
  await addFault(around.home, { op: 'order.create', at: 'before', kind: 'reset' })
  const create = order({ 'integrator-order-id': there.id, currency: 'USD' })
  expect((await done(create, around)).json).toMatchObject({ outcome: 'exists' })
  const second = await done(refund(there.id, '5'), around)
  expect(second.json).toMatchObject({
    currency: 'USD',
    warnings: [expect.stringContaining(String(first.json.journalId))],
  })
  const again = await done(refund(there.id, '2', '--key', 'r-2'), around)
  expect(again.json).toMatchObject({ replayed: true, journalId: named.json.journalId, currency: 'USD' })
})

test('order refund: more than was paid (6007), and an unpaid order, are refused (5)', async () => {
  const { around, id } = await paid()
  const much = await paydesk([...refund(id, '99', '--no-local-check'), '--json'], around)
  expect(much.code).toBe(5)
  expect(much.error.service).toMatchObject({ statusCode: 6007 })
  expect((await paydesk(refund(await ordered(around), '1'), around)).code).toBe(5)
})

/** An order of GEL 10 of which GEL 3 went back. */
async function refundedInPart() {
  const { around, id } = await paid({ amount: '10' })
  await done(refund(id, '3'), around)
  around.clock.skip(10_000)
  return { around, id }
}

test.each([[[]], [['--dry-run']]])('order refund %j: more than is left is refused (2) unsent', async (more) => {
  const { around, id } = await refundedInPart()
  const much = await paydesk([...refund(id, '7.01', ...more), '--json'], around)
  expect(much, much.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'no', uniqueId: id } })
  expect(much.error.message).toBe(
    '--amount GEL 7.01 is more than the GEL 7.00 that is left to refund: the order was paid with GEL 10.00, and GEL 3.00 was refunded or is being refunded',
  )
  expect((await ledger(around)).orders).toMatchObject([{ refunds: 1 }])
  expect((await paydesk(refund(id, '7', ...more), around)).code).toBe(0)
})

test('order refund: a repeat of the one that took all that was left is replayed, and a failed one is left again', async () => {
  const { around, id } = await paid({ amount: '10' })
  await done(refund(id, '10', '--key', 'all'), around)
  expect((await done(refund(id, '10', '--key', 'all'), around)).json).toMatchObject({ replayed: true })
  await play(around, id, 'refund-failed')
  expect((await done(refund(id, '10', '--key', 'again'), around)).json).toMatchObject({ replayed: false })
})

test('card get: no card (6075) of an order whose refund is unknown is not-found (6), and says how the refund stands', async () => {
  const { around, id } = await paid()
  await addFault(around.home, { op: 'order.refund', at: 'after', kind: 'reset' })
  const lost = await paydesk([...refund(id, '5'), '--json'], around)
  const ended = await paydesk(['card', 'get', id, ...onSandbox, '--json'], around)
  expect(ended, ended.stderr).toMatchObject({
    code: 6,
    error: { moneyMoved: 'unknown', service: { statusCode: 6075 } },
  })
  expect(String(ended.error.hints)).toContain(`resume ${lost.error.journalId}`)
  expect(ended.error.message).not.toContain('does not know the order')
})

test('order refund: a refusal in words tells code, group, HTTP status and the message of the service', async () => {
  const { around, id } = await paid()
  const ended = await paydesk(refund(id, '99', '--no-local-check'), around)
  expect(ended.code).toBe(5)
  expect(ended.stderr).toMatch(/the service: code 6007, group 1, HTTP 400/)
  expect(ended.stderr).toContain('amount is out of range: 12.50 can be refunded')
})
