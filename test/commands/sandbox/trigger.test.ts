import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { integratorNamed, waiter } from '../../kit/sandbox/integrator.ts'
import { fileSandbox, served } from '../../kit/sandbox/stand.ts'
import { done, onSandbox, order, place } from '../../kit/world.ts'

/** A sandbox that runs beside the commands. */
async function running() {
  const home = newHome()
  const sandbox = await fileSandbox(join(home, 'sandbox'), realClock)
  const us = await integratorNamed(sandbox, (await served(sandbox)).url)
  const trigger = (what: string, order: string, ...more: string[]) =>
    paydesk(['sandbox', 'trigger', what, '--order', order, ...more], { home })
  return { us, trigger, sandbox, home }
}

test('sandbox trigger paid: a running server sees the paid order', async () => {
  const { us, trigger } = await running()
  const id = await us.created({ tipReceiverId: waiter, tipReceiverType: 'USER' })
  const { code, json } = await trigger('paid', id, '--tip', '1.00', '--json')
  expect(code).toBe(0)
  expect(json).toEqual({
    ...{ played: 'paid', integratorOrderId: id, status: 'SUCCESS', failReason: null, warnings: [] },
    callbacks: [expect.objectContaining({ kind: 'payment', state: 'given-up' })],
  })
  expect(await us.status(id)).toBe('SUCCESS')
})

const treasury = ['PERSONAL_NUMBER=01001000001', 'PAYER_NAME=Nino', 'PURPOSE=State fee', 'IS_FOREIGN=false'].flatMap(
  (property) => ['--property', property],
)

test('sandbox trigger: an order can be named by key or journal id, in this world only, and an ambiguous key is refused (2)', async () => {
  const around = place()
  const trigger = (what: string, name: string) =>
    paydesk(['sandbox', 'trigger', what, '--order', name, '--json'], around)
  const { json } = await done(order({ key: 's1' }), around)
  const id = json.integratorOrderId
  expect((await trigger('paid', 's1')).json).toMatchObject({ integratorOrderId: id, status: 'SUCCESS' })
  const refund = await done(['order', 'refund', 's1', '--amount', '1', '--key', 'r1', '--yes', ...onSandbox], around)
  const failed = await trigger('refund-failed', String(refund.json.journalId).toUpperCase())
  expect(failed.json).toMatchObject({ integratorOrderId: id, status: 'REFUNDED_FAILED' })
  const other = await done(order({ key: 's1', profile: 'sandbox-treasury' }, ...treasury), around)
  const two = await trigger('paid', 's1')
  expect(two.code).toBe(2)
  expect(two.error.hints).toEqual([expect.stringContaining(String(other.json.integratorOrderId))])
  await paydesk(['sandbox', 'reset', '--yes'], around)
  expect((await trigger('paid', 's1')).error.message).toBe('the sandbox has no order s1')
})

test('sandbox trigger: a person is told the status and why a try failed', async () => {
  const { us, trigger } = await running()
  const { code, stdout } = await trigger('paid', await us.created(), '--card', 'declined')
  expect(code).toBe(0)
  expect(stdout).toContain('FAILED')
  expect(stdout).toContain('declined by the bank')
})

test.each([
  ['declined', 'FAILED'],
  ['expired', 'EXPIRED'],
])('sandbox trigger: %s ends the order as %s', async (what, status) => {
  const { us, trigger } = await running()
  expect((await trigger(what, await us.created(), '--json')).json).toMatchObject({ played: what, status })
})

test('sandbox trigger refund-failed: the order ends as REFUNDED_FAILED', async () => {
  const { us, trigger } = await running()
  const id = await us.created()
  await trigger('paid', id)
  await us.refund(id, 1)
  expect((await trigger('refund-failed', id, '--json')).json).toMatchObject({ status: 'REFUNDED_FAILED' })
})

test('sandbox trigger: an unknown order is not found (6), an expired one is refused (5), contradicting flags are usage errors (2)', async () => {
  const { us, trigger } = await running()
  const unknown = await trigger('paid', randomUUID(), '--json')
  expect(unknown).toMatchObject({ code: 6, stdout: '' })
  const id = await us.created()
  await trigger('expired', id)
  const late = await trigger('paid', id, '--json')
  expect(late).toMatchObject({ code: 5, stdout: '' })
  expect(late.error).toMatchObject({ name: 'refused', status: 'EXPIRED', moneyMoved: 'no' })
  for (const [what, ...more] of [
    ['stolen'],
    ['paid', '--card', 'gold'],
    ['paid', '--tip', '1'],
    ['expired', '--tip', '1'],
    ['paid', '--duplicate'],
    ['callback', '--set', 'status'],
    ['subscription-charge'],
    ['paid', '--subscription', randomUUID()],
  ]) {
    expect((await trigger(String(what), await us.created(), ...more)).code).toBe(2)
  }
})

test('sandbox trigger: refunded, callback --duplicate and subscription-charge do what the service would', async () => {
  const { us, trigger, sandbox, home } = await running()
  const id = await us.created()
  await trigger('paid', id)
  const part = await trigger('refunded', id, '--amount', '2.50', '--json')
  expect(part.json).toMatchObject({ status: 'PARTIALLY_REFUNDED', callbacks: [] })
  expect((await trigger('refunded', id)).stdout).toContain('REFUNDED_BY_SERVICE')
  expect((await trigger('callback', id, '--duplicate', '--json')).json).toMatchObject({ callbacks: [{ id: '2' }] })
  expect((await trigger('callback', id, '--out-of-order')).stdout).toContain('3, payment, given-up')
  const plan = { interval: 'MONTHLY', intervalCount: 1, amount: 5 }
  const saved = await us.created({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan: plan })
  await trigger('paid', saved)
  const subscription = String((await sandbox.ledger()).subscriptions[0]?.subscriptionId)
  const charged = await paydesk(['sandbox', 'trigger', 'subscription-charge', '--subscription', subscription], { home })
  expect(charged.code).toBe(0)
  expect(charged.stdout).toMatch(/charge +COMPLETED/)
})
