/** A late answer, and a request that arrives twice, execute nothing twice. */
import { expect, test } from 'vitest'
import { hurriedClock } from '../kit/clock.ts'
import { cachedPairs } from '../kit/key-pairs.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { until } from '../kit/tools.ts'
import { addFault, clearFaults, ledgerOf, orderOf100, paidOrder, standingSandbox, wholeLedger } from '../kit/world.ts'

const quick = { 'answer-timeout': '300ms', timeout: '5s' }
const quickOrder = ['--answer-timeout', '300ms', '--timeout', '5s']

function begin() {
  const home = newHome()
  return { home, around: { home, clock: hurriedClock(), random: { ...cachedPairs, fraction: () => 0 } } }
}

const executions = async (home: string) => (await ledgerOf(home)).map((payout) => payout.executions)

test.each(['before', 'after'] as const)(
  'payout create: an answer that is slow %s the execution and comes in time is accepted (0)',
  async (at) => {
    const { home, around } = begin()
    await addFault(home, { at, kind: 'slow', delay: 100 })
    const ended = await succeeds(paydesk([...create(), '--json'], around))
    expect(ended.json).toMatchObject({ outcome: 'accepted' })
    expect(await executions(home)).toEqual([1])
  },
)

test('payout create: an answer that comes too late is lost, and its repeat finds the payout (0), executed once', async () => {
  const { home, around } = begin()
  await addFault(home, { at: 'after', kind: 'slow', delay: 60_000 })
  const ended = await succeeds(paydesk([...create(quick), '--json'], around))
  expect(ended.json).toMatchObject({ outcome: 'exists' })
  expect(await executions(home)).toEqual([1])
})

test('payout create: a request that arrives after its own repeat executes nothing, and the payout is executed once', async () => {
  const { home, around } = begin()
  const { requests } = await standingSandbox(home)
  await addFault(home, { at: 'before', kind: 'slow', delay: 900 })
  await succeeds(paydesk([...create(quick), '--json'], around))
  const arrived = () => requests.filter((each) => each === 'POST /api/distributor').length
  await until('the late one has arrived', () => arrived() === 2)
  expect(await executions(home)).toEqual([1])
})

test('order create: an order whose answer is late is not sent again, and resume finds it (0)', async () => {
  const { home, around } = begin()
  await standingSandbox(home)
  await addFault(home, { op: 'order.*', at: 'after', kind: 'slow', delay: 60_000, times: 99 })
  const ended = await paydesk([...orderOf100(), ...quickOrder], around)
  expect(ended.code, ended.stderr).toBe(9)
  expect((await wholeLedger(home, around.clock)).orders).toHaveLength(1)
  await clearFaults(home)
  await succeeds(paydesk(['resume', String(ended.error.journalId), '-p', 'sandbox', '--json'], around))
  expect((await wholeLedger(home, around.clock)).orders).toHaveLength(1)
})

test('payout create: a request that arrives twice is one payout (0)', async () => {
  const { home, around } = begin()
  await addFault(home, { at: 'after', kind: 'duplicate' })
  const ended = await succeeds(paydesk([...create(), '--json'], around))
  expect(ended.json).toMatchObject({ outcome: 'accepted', uniqueId: (await ledgerOf(home))[0]?.uniqueId })
  expect(await executions(home)).toEqual([1])
  const log = (await paydesk(['sandbox', 'requests', '--operation', 'payout.create', '--json'], around)).json
  expect(log).toMatchObject([
    { http: null, code: 5017, fault: 'duplicate after' },
    { http: 200, code: null, fault: 'duplicate after' },
  ])
})

test('payout create: a request that arrives twice, and is answered by the second refusal, is a conflict (7)', async () => {
  const { home, around } = begin()
  await addFault(home, { at: 'after', kind: 'duplicate-second' })
  const ended = await paydesk([...create(), '--json'], around)
  expect(ended, ended.stdout).toMatchObject({ code: 7, error: { moneyMoved: 'unknown', retry: 'never' } })
  expect(await executions(home)).toEqual([1])
  const log = (await paydesk(['sandbox', 'requests', '--operation', 'payout.create', '--json'], around)).json
  expect(log).toMatchObject([
    { http: 400, code: 5017, fault: 'duplicate-second after' },
    { http: null, code: null, fault: 'duplicate-second after' },
  ])
})

test('order cancel: a request that arrives twice, and is answered by the second refusal, is done (0)', async () => {
  const { home, around } = begin()
  const made = await paydesk(orderOf100(), around)
  const id = String(made.json.integratorOrderId)
  await addFault(home, { op: 'order.cancel', at: 'after', kind: 'duplicate-second' })
  const ended = await paydesk(['order', 'cancel', id, '-p', 'sandbox', '--yes', '--json'], around)
  expect(ended.json, ended.stderr).toMatchObject({ outcome: 'exists', status: 'CANCELED' })
})

test('order create: a charge of a saved card that arrives twice charges once (0)', async () => {
  const { home, around } = begin()
  const saved = await paidOrder(around, '--save-card', '--direct-link-provider', 'BOG')
  await addFault(home, { op: 'order.create', at: 'after', kind: 'duplicate' })
  await succeeds(paydesk(orderOf100('--card-from-order', saved), around))
  const { orders } = await wholeLedger(home, around.clock)
  const charges = orders.filter(({ integratorOrderId }) => integratorOrderId !== saved).map((each) => each.charges)
  expect(charges).toEqual([1])
})

test('order refund: a refund of a part that arrives twice refunds once (0)', async () => {
  const { home, around } = begin()
  const id = await paidOrder(around)
  await addFault(home, { op: 'order.refund', at: 'after', kind: 'duplicate' })
  const argv = ['order', 'refund', id, '--amount', '5', '--key', 'return-1', '-p', 'sandbox', '--yes', '--json']
  await succeeds(paydesk(argv, around))
  const { orders } = await wholeLedger(home, around.clock)
  expect(orders.map(({ refunds, refunded }) => [refunds, String(refunded)])).toEqual([[1, '5.00']])
})

test('payout create: six payouts of which 40 % of the answers are lost (seed 7) are executed once each', async () => {
  const { home, around } = begin()
  await addFault(home, { op: 'payout.*', at: 'after', kind: 'html502', perMille: 400, seed: 7 })
  for (let at = 0; at < 6; at += 1) {
    await succeeds(paydesk([...create({ amount: `${at + 1}.00` }), '--json'], around))
  }
  expect(await executions(home)).toEqual([1, 1, 1, 1, 1, 1])
})
