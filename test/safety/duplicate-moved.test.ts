/** Exit code 7 is about a payment that is there already, and says how that one stands: "not moved" would be wrong about its money. */
import { describe, expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create, flags } from '../kit/payment.ts'
import { type Ended, newHome, paydesk, succeeds } from '../kit/program.ts'
import {
  addHandProfile,
  addSealedProfile,
  handDesk,
  handOrder,
  type Reply,
  sealedByHand,
  serviceByHand,
} from '../kit/service.ts'

const pay = (more = {}) => [...create({ profile: 'hand', key: 'salary-11', ...more }), '--json']
const refund = (amount: string) => ['order', 'refund', handOrder, '--amount', amount, '--key', 'kr', '--yes']

function isTold({ code, stderr, error }: Ended): void {
  expect(code, stderr).toBe(7)
  expect(error.moneyMoved, stderr).not.toBe('no')
}

describe.each([
  ['paid', undefined],
  ['lost', 'reset'],
] as const)('payout with a key, %s', (name, answer) => {
  async function paid() {
    const home = newHome()
    const service = await serviceByHand(({ path }): Reply | undefined =>
      path === '/api/distributor' ? answer : undefined,
    )
    await addHandProfile(home, service.url)
    const around = { home, clock: hurriedClock(), random: impatient }
    const first = await paydesk(pay(), around)
    expect(first.code, first.stderr).toBe(answer === undefined ? 0 : 9)
    return around
  }

  test(`payout with a key, ${name}, then the profile became another service: a duplicate (7), not "no"`, async () => {
    const around = await paid()
    const other = await serviceByHand()
    const moved = ['profile', 'add', 'hand', '--replace', ...flags({ 'base-url': other.url }), '--another-service']
    await succeeds(paydesk(moved, around))
    isTold(await paydesk(pay(), around))
    expect(other.creates).toHaveLength(0)
  })

  test(`payout with a key, ${name}, then with another sum: a duplicate (7), not "no"`, async () => {
    isTold(await paydesk(pay({ amount: '99' }), await paid()))
  })
})

test('payout without a key, the same one paid before: a suspected duplicate (7), not "no"', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url, { 'duplicate-guard': 'refuse' })
  expect((await paydesk(pay({ key: null }), { home })).code).toBe(0)
  isTold(await paydesk(pay({ key: null }), { home }))
})

test('order refund with a key, done, then with another sum: a duplicate (7), not "no"', async () => {
  const { run } = await handDesk(() => ({ value: { integratorOrderId: handOrder, status: 'REFUND_REQUESTED' } }))
  expect((await run(...refund('5'))).code).toBe(0)
  isTold(await run(...refund('6')))
})

test('order refund with a key, done, then by a profile whose integrator id is in capitals: a duplicate (7), not "no"', async () => {
  const home = newHome()
  const done = { value: { integratorOrderId: handOrder, status: 'REFUND_REQUESTED' } }
  const { url } = await sealedByHand(() => done, 'oaep-sha256')
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  for (const [name, integrator] of [['one', id] as const, ['two', id.toUpperCase()] as const]) {
    await addSealedProfile(home, name, url, { 'integrator-id': integrator, 'wallet-identifier': null })
  }
  const as = (name: string) => paydesk([...refund('5'), '-p', name, '--json'], { home })
  await succeeds(as('one'))
  isTold(await as('two'))
})

test('payout reconcile of a payout that has another transaction: a duplicate (7), not "no"', async () => {
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
