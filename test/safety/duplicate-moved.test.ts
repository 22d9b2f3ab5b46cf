/** Exit code 7 is about a payment that is there already, and says how that one stands: "not moved" would be wrong about the money. */
import { describe, expect, test } from 'vitest'
import { create, flags } from '../kit/payment.ts'
import { type Ended, newHome, paydesk } from '../kit/program/paydesk.ts'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { addSealedProfile, sealedByHand } from '../kit/service/sealed-by-hand.ts'
import { addHandProfile, type Reply, serviceByHand } from '../kit/service/service-by-hand.ts'

const pay = (more = {}) => [...create({ profile: 'hand', key: 'salary-11', timeout: '2s', ...more }), '--json']
const refund = (amount: string) => ['order', 'refund', handOrder, '--amount', amount, '--key', 'kr', '--yes']

function isTold({ code, stderr, error }: Ended): void {
  expect(code, stderr).toBe(7)
  expect(error.moneyMoved, stderr).not.toBe('no')
}

describe.each([
  ['paid', undefined],
  ['sent without an answer', 'reset'],
] as const)('a key that was %s', (_name, answer) => {
  async function paid() {
    const home = newHome()
    const service = await serviceByHand(({ path }): Reply | undefined =>
      path === '/api/distributor' ? answer : undefined,
    )
    await addHandProfile(home, service.url)
    let first = await paydesk(pay(), { home })
    // Two seconds may be over on a busy machine before anything was sent.
    for (let tries = 0; first.code === 11 && tries < 5; tries += 1) first = await paydesk(pay(), { home })
    expect([0, 9], first.stderr).toContain(first.code)
    return { home, service }
  }

  test('is not denied after the profile became another service', async () => {
    const { home } = await paid()
    const other = await serviceByHand()
    const moved = ['profile', 'add', 'hand', '--replace', ...flags({ 'base-url': other.url }), '--another-service']
    const end = await paydesk(moved, { home })
    expect(end.code, end.stderr).toBe(0)
    isTold(await paydesk(pay(), { home }))
    expect(other.creates).toHaveLength(0)
  })

  test('is not denied to another sum', async () => {
    const { home } = await paid()
    isTold(await paydesk(pay({ amount: '99' }), { home }))
  })
})

test('a payout without a key is told of the one that it looks like', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url, { 'duplicate-guard': 'refuse' })
  expect((await paydesk(pay({ key: null }), { home })).code).toBe(0)
  isTold(await paydesk(pay({ key: null }), { home }))
})

describe('a refund under its key', () => {
  test('is not denied to another sum', async () => {
    const { run } = await handDesk(() => ({ value: { integratorOrderId: handOrder, status: 'REFUND_REQUESTED' } }))
    expect((await run(...refund('5'))).code).toBe(0)
    isTold(await run(...refund('6')))
  })

  test('is not denied to a profile that spells the client in another case', async () => {
    const home = newHome()
    const done = { value: { integratorOrderId: handOrder, status: 'REFUND_REQUESTED' } }
    const { url } = await sealedByHand(() => done, 'oaep-sha256')
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
    for (const [name, integrator] of [['one', id] as const, ['two', id.toUpperCase()] as const]) {
      await addSealedProfile(home, name, url, { 'integrator-id': integrator, 'wallet-identifier': null })
    }
    const as = (name: string) => paydesk([...refund('5'), '-p', name, '--json'], { home })
    const first = await as('one')
    expect(first.code, first.stderr).toBe(0)
    isTold(await as('two'))
  })
})

test('a payout that has its transaction is not denied to another one', async () => {
  const home = newHome()
  const made: { uniqueId?: string } = {}
  const service = await serviceByHand(({ method, path, body, query }): Reply | undefined => {
    if (method === 'POST' && path === '/api/distributor') Object.assign(made, JSON.parse(body))
    if (method !== 'GET') return undefined
    const transactionId = Number(new URLSearchParams(query).get('transaction_id'))
    const told = {
      ...{ uniqueId: made.uniqueId, transactionId, amount: 12.5, currency: 'GEL', toIban: 'GE29NB0000000101904917' },
      ...{ paymentDescription: 'Salary, November', status: 'INITIAL', statusDescription: 'Created' },
      ...{ createdAt: '2026-11-20T10:00:00.123456789', senderName: 'Till', beneficiaryName: 'Nino Beridze' },
    }
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(told) }
  })
  await addHandProfile(home, service.url)
  expect((await paydesk(pay(), { home })).code).toBe(0)
  const argv = ['payout', 'reconcile', 'salary-11', '--transaction-id', '5', '-p', 'hand', '--json']
  isTold(await paydesk(argv, { home }))
})
