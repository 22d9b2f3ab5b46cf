/** An argument that is an id names the object of that id, even where a newer one has the same text as its idempotency key. */
import { describe, expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create as payout } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { addHandProfile, foreignOrder, handDesk, handOrder, type Reply, serviceByHand } from '../kit/service.ts'

const create = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--yes']
const elsewhere = '7d1c2b3a-4f5e-4a6b-8c7d-9e0f1a2b3c4d'

/** Two orders: one under its own id, and a newer one whose key is that id. */
async function twoOrders() {
  const statusOf: Readonly<Record<string, string>> = {
    'order.refund': 'REFUND_REQUESTED',
    'order.cancel': 'CANCELED',
    'order.complete': 'SUCCESS',
    'order.status': 'INITIAL',
  }
  const card = {
    token: 'c0c0c0c0-1111-4222-8333-444444444444',
    provider: 'BOG',
    cardMask: '411111******1111',
    expirationDate: '12/30',
  }
  const desk = await handDesk(({ name, request }) => {
    const { integratorOrderId } = request
    if (name === 'order.create') return { value: { integratorOrderId, urlForQR: 'https://pay.example/1' } }
    return { value: name === 'card.get' ? card : { integratorOrderId, status: statusOf[name] } }
  })
  expect((await desk.run(...create, '--integrator-order-id', handOrder)).code).toBe(0)
  const keyed = await succeeds(desk.run(...create, '--key', handOrder))
  const asked = (operation: string) =>
    desk.calls.filter(({ name }) => name === operation).map(({ request }) => request.integratorOrderId)
  return { desk, asked, keyed: String(keyed.json.integratorOrderId) }
}

describe('a payout that is named by a number', () => {
  async function keyed() {
    const home = newHome()
    const service = await serviceByHand(({ path }): Reply | undefined =>
      path === '/api/distributor' ? 'reset' : undefined,
    )
    await addHandProfile(home, service.url)
    const around = { home, clock: hurriedClock(), random: impatient }
    const run = (...argv: string[]) => paydesk([...argv, '-p', 'hand', '--timeout', '5s', '--json'], around)
    const made = await run('payout', 'create', ...payout({ key: '100004', profile: null }).slice(2))
    expect(made.code, made.stderr).toBe(9)
    return { run, reads: () => service.seen.filter(({ method }) => method === 'GET') }
  }

  test.each(['get', 'wait'])(
    'payout %s: a number that is an idempotency key here is a usage error (2), and no other transaction is read',
    async (verb) => {
      const { run, reads } = await keyed()
      const before = reads().length
      const asked = await run('payout', verb, '100004')
      expect(asked.code, asked.stderr).toBe(2)
      expect(asked.error).toMatchObject({
        moneyMoved: 'unknown',
        message: expect.stringContaining('may also be the number of another transaction'),
      })
      expect(reads()).toHaveLength(before)
    },
  )

  test('payout wait and get: key: names the payout of that key, and id: the transaction of that number', async () => {
    const { run, reads } = await keyed()
    expect((await run('payout', 'wait', 'key:100004')).code).toBe(9)
    const before = reads().length
    await run('payout', 'get', 'id:100004')
    expect(
      new Set(
        reads()
          .slice(before)
          .map(({ query }) => query),
      ),
    ).toEqual(new Set(['?transaction_id=100004']))
  })

  test.each(['typo', 'hand'])(
    'resume, payout wait and get: a usage error keeps the payout of key:100004 unknown (profile %s)',
    async (profile) => {
      const { run } = await keyed()
      const flag = profile === 'hand' ? '--bogus' : '--quiet'
      for (const argv of [
        ['resume', 'key:100004'],
        ['payout', 'wait', 'key:100004'],
        ['payout', 'get', 'key:100004'],
      ]) {
        const ended = await run(...argv, flag, '-p', profile)
        expect(ended.code, ended.stderr).not.toBe(0)
        expect(ended.error, argv.join(' ')).toMatchObject({ moneyMoved: 'unknown' })
      }
    },
  )
})

test.each([
  ['order refund', 'order.refund', ['order', 'refund', handOrder, '--amount', '5', '--key', 'r', '--yes']],
  ['order cancel', 'order.cancel', ['order', 'cancel', handOrder, '--yes']],
  ['order complete', 'order.complete', ['order', 'complete', handOrder, '--amount', '5', '--yes']],
  ['order status', 'order.status', ['order', 'status', handOrder]],
  ['card get', 'card.get', ['card', 'get', handOrder]],
  [
    'order create --card-from-order',
    'card.get',
    [...create, '--card-from-order', handOrder, '--integrator-order-id', elsewhere],
  ],
] as const)('%s: an order id names its order, not a newer one with that key', async (_command, operation, argv) => {
  const { desk, asked } = await twoOrders()
  await succeeds(desk.run(...argv))
  expect(new Set(asked(operation))).toEqual(new Set([handOrder]))
})

test('order refund, cancel and status: a UUID that is only a key here is a usage error (2), and nothing is sent', async () => {
  const { desk, asked } = await twoOrders()
  const refunded = ['order', 'refund', handOrder, '--amount', '5', '--key', elsewhere, '--yes']
  expect((await desk.run(...refunded)).code).toBe(0)
  for (const argv of [
    ['order', 'refund', elsewhere, '--amount', '5', '--key', 'r2', '--yes'],
    ['order', 'cancel', elsewhere, '--yes'],
    ['order', 'status', elsewhere],
  ]) {
    const ended = await desk.run(...argv)
    expect(ended, argv.join(' ') + ended.stdout).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(`key:${elsewhere} for the order ${handOrder}`)
  }
  expect(asked('order.refund')).toEqual([handOrder])
  expect((await desk.run('order', 'status', `id:${elsewhere}`)).code).toBe(0)
  expect((await desk.run('order', 'status', `key:${elsewhere}`)).code).toBe(0)
  // The refund has read its order, too.
  expect(asked('order.status')).toEqual([handOrder, elsewhere, handOrder])
})

test('resume --settle: a UUID that is an order id and a key resolves the write about the order of that id', async () => {
  const desk = await handDesk(({ name, request: { integratorOrderId } }) =>
    name === 'order.refund' ? { plain: 'reset' } : { value: { integratorOrderId, status: 'SUCCESS' } },
  )
  const refund = (order: string, key: string) =>
    desk.run('order', 'refund', order, '--amount', '5', '--key', key, '--yes')
  expect((await refund(handOrder, 'r')).code).toBe(9)
  expect((await refund(foreignOrder, handOrder)).code).toBe(9)
  const word = ['--settle', 'refused', '--because', 'the statement shows none', '--yes']
  const settled = await desk.run('resume', handOrder, ...word)
  expect(settled.json, settled.stderr).toMatchObject({ integratorOrderId: handOrder, outcome: 'refused' })
  expect((await refund(foreignOrder, handOrder)).code).toBe(9)
  expect(desk.count('order.refund')).toBe(2)
})
