import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listening, payment, post } from '../../kit/callback.ts'
import { paydesk, succeeds } from '../../kit/program.ts'
import {
  addFault,
  clearFaults,
  done,
  onSandbox,
  order,
  ordered,
  place,
  play,
  recordedSandbox,
} from '../../kit/world.ts'

test('order status: id, journal id and key of the order or of its refund name it, and every status is 0', async () => {
  const around = place()
  const { json: created } = await done(order({ key: 'shop-4711' }), around)
  const id = String(created.integratorOrderId)
  await play(around, id)
  const refund = await done(['order', 'refund', id, '--amount', '1', '--yes', '--key', 'back', ...onSandbox], around)
  for (const name of [id, id.toUpperCase(), created.journalId, 'shop-4711', refund.json.journalId, 'back']) {
    const { json } = await done(['order', 'status', String(name), ...onSandbox], around)
    expect(json).toMatchObject({ integratorOrderId: id, journalId: created.journalId, profile: 'sandbox' })
  }
  const failed = await ordered(around)
  await play(around, failed, 'declined')
  expect((await done(['order', 'status', failed, ...onSandbox], around)).json.status).toBe('FAILED')
})

test('order status: the journal remembers the status', async () => {
  const around = place()
  const id = await ordered(around)
  await done(['order', 'status', id, ...onSandbox], around)
  await play(around, id)
  await done(['order', 'status', id, ...onSandbox], around)
  expect((await done(['journal', 'show', id], around)).json.status).toBe('SUCCESS')
})

test('order status: an order of another machine is shown without a journal id, and an unknown order is 6', async () => {
  const there = place()
  const id = await ordered(there)
  const around = place()
  cpSync(join(there.home, 'sandbox'), join(around.home, 'sandbox'), { recursive: true })
  const { json } = await done(['order', 'status', id, ...onSandbox], around)
  expect(json).toMatchObject({ integratorOrderId: id, journalId: null, status: 'INITIAL' })
  const stranger = await paydesk(
    ['order', 'status', '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', ...onSandbox, '--json'],
    around,
  )
  expect(stranger.code).toBe(6)
  expect(stranger.error.service).toMatchObject({ statusCode: 6005 })
})

test('order status: every field of the service is shown, and amounts keep their digits', async () => {
  const around = place()
  await recordedSandbox(around)
  const id = await ordered(around)
  await play(around, id)
  const ended = await done(['order', 'status', id, ...onSandbox], around)
  expect(ended.json).toMatchObject({ status: 'SUCCESS', initialCurrency: 'GEL', acquiringCurrency: 'GEL' })
  expect(ended.stdout).toContain('"acquiringAmount":12.50')
  expect(ended.json.transactionId).toEqual(expect.any(String))
  const table = await paydesk(['order', 'status', id, ...onSandbox], around)
  expect(table.stdout).toMatch(/^status +SUCCESS \(paid\)$/m)
  expect(table.stdout).toMatch(/^acquiringAmount +12\.50$/m)
})

test.each(['nonsense', '12'])('order status: %s is no order id (2)', async (id) => {
  expect((await paydesk(['order', 'status', id, ...onSandbox], place())).code).toBe(2)
})

test('order status: an order whose creation is unknown is shown (0) with the line that resumes it', async () => {
  const around = place()
  await addFault(around.home, { op: 'order.create', at: 'after', kind: 'reset' })
  await addFault(around.home, { op: 'order.status', at: 'before', kind: 'html502', times: 5 })
  const lost = await paydesk([...order({ key: 'lost' }), '--json'], around)
  expect(lost.code).toBe(9)
  const read = await succeeds(paydesk(['order', 'status', 'lost', ...onSandbox], around))
  expect(read.stderr).toContain(`paydesk resume ${lost.error.journalId}`)
})

test.each(['status', 'wait', 'diff'])('order %s: an unknown creation, unknown to the service, is 9', async (verb) => {
  const around = place()
  await addFault(around.home, { op: 'order.create', at: 'before', kind: 'reset' })
  const lost = await paydesk([...order({ key: 'lost' }), '--json'], around)
  expect(lost.code).toBe(9)
  const { uniqueId, journalId } = lost.error
  const more = verb === 'wait' ? ['--timeout', '60s'] : []
  for (const id of ['lost', String(journalId), String(uniqueId)]) {
    const read = await paydesk(['order', verb, id, ...onSandbox, '--json', ...more], around)
    expect(read.code, read.stderr).toBe(9)
    expect(read.error).toMatchObject({ uniqueId, journalId, moneyMoved: 'unknown' })
    expect(String(read.error.hints)).toContain(
      `Do not send it again. \`paydesk resume ${journalId}\` checks what happened`,
    )
  }
})

test('order status: an error names the order: 9 without an answer, 6 if the service does not know it', async () => {
  const around = place()
  const made = await done(order({ key: 'asked' }), around)
  const { integratorOrderId: uniqueId, journalId } = made.json
  await addFault(around.home, { op: 'order.status', at: 'before', kind: 'html502', times: 99 })
  const unasked = await paydesk(['order', 'status', 'asked', ...onSandbox, '--json', '--timeout', '60s'], around)
  expect(unasked.code).toBe(9)
  expect(unasked.error).toMatchObject({ operation: 'order.status', uniqueId, journalId })
  const stranger = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a99'
  await clearFaults(around.home)
  const none = await paydesk(['order', 'status', stranger, ...onSandbox, '--json'], around)
  expect(none.code).toBe(6)
  expect(none.error).toMatchObject({ operation: 'order.status', uniqueId: stranger, journalId: null, moneyMoved: 'no' })
})

test('order status: the refunds of this journal and those that callbacks tell of stand below it, each once', async () => {
  const around = place()
  const id = await ordered(around)
  await play(around, id)
  await done(['order', 'refund', id, '--amount', '2.50', '--yes', ...onSandbox], around)
  const { url, stop } = await listening(around)
  const told = { ...payment, integratorOrderId: id, status: 'PARTIALLY_REFUNDED' }
  for (const body of [{ ...told, status: 'SUCCESS' }, told, told]) await post(url, body)
  await stop()
  const { json } = await done(['order', 'status', id, ...onSandbox], around)
  expect(json.refunds).toEqual([
    {
      ...{ at: expect.stringMatching(/Z$/), amount: 2.5, currency: 'GEL', state: 'accepted', status: null },
      ...{ journalId: expect.stringMatching(/^j-/), callbackId: null },
    },
    {
      ...{ at: expect.stringMatching(/Z$/), amount: 12.5, currency: 'GEL', state: null, status: 'PARTIALLY_REFUNDED' },
      ...{ journalId: null, callbackId: expect.stringMatching(/^cb-/) },
    },
  ])
  const table = await paydesk(['order', 'status', id, ...onSandbox], { ...around, columns: 200 })
  expect(table.stdout).toMatch(/^refund +at.* +amount +state +callback says$/m)
  expect(table.stdout).toMatch(/^j-\w+ .*GEL 2\.50 +accepted/m)
})
