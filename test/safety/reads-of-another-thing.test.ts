/** An answer to a read is believed only about the thing that was asked for, and never in paydesk's own name. */
import { expect, test } from 'vitest'
import { beneficiaryIban, create } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import {
  addHandProfile,
  broken,
  foreignOrder,
  handDesk,
  handOrder,
  handPayout,
  json,
  serviceByHand,
} from '../kit/service.ts'

test('payout balance: an answer in another currency ends with 9', async () => {
  const home = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor/balance/check' ? json({ value: { amount: 100, currency: 'USD' } }) : undefined,
  )
  await addHandProfile(home, service.url)
  const ended = await paydesk(['payout', 'balance', '--currency', 'GEL', '-p', 'hand', '--json'], { home })
  expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '' })
  await succeeds(paydesk(['payout', 'balance', '--currency', 'USD', '-p', 'hand', '--json'], { home }))
})

test('card get: the card of another order ends with 9', async () => {
  const desk = await handDesk(({ name }) =>
    name === 'card.get' ? { value: { token: foreignOrder, integratorOrderId: foreignOrder } } : broken,
  )
  expect(await desk.run('card', 'get', handOrder)).toMatchObject({ code: 9, stdout: '' })
})

const card = (token: string) => ({ token, cardMask: '4111****1111' })
const [one, other] = [`${foreignOrder.slice(0, -1)}1`, `${foreignOrder.slice(0, -1)}2`]

const twoCards: readonly (readonly [string, unknown])[] = [
  ['in a list', [card(one), card(other)]],
  ['in a list, with one token', [card(one), card(one)]],
  ['in an empty list', []],
  ['by two names', { ...card(one), cardToken: other }],
  ['in other capitals', { ...card(one), TOKEN: other }],
  ['beside its value', { ...card(one), value: card(other) }],
  ['of another order in other capitals', [{ ...card(one), IntegratorOrderId: foreignOrder }]],
]

test.each(twoCards.filter((_, at) => at === 0 || at === 3 || at === 6))(
  'order create: of two cards %s none is charged, and none is shown (9)',
  async (_where, value) => {
    const desk = await handDesk(({ name }) => (name === 'card.get' ? { value } : broken))
    const charge = ['order', 'create', '--amount', '30', '--receiver-id', handOrder, '--card-from-order', handOrder]
    const ended = await desk.run(...charge, '--key', 'c', '--yes')
    expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '' })
    expect(desk.count('order.create')).toBe(0)
    expect(ended.stderr).not.toMatch(new RegExp(`${one}|${other}`))
  },
)

test.each([
  ['the only card of a list', [card(one)]],
  ['a cardToken', { cardToken: one }],
])('card get: %s is the card', async (_what, value) => {
  const desk = await handDesk(({ name }) => (name === 'card.get' ? { value } : broken))
  const read = await desk.run('card', 'get', handOrder)
  expect(read.json, read.stderr).toMatchObject({ token: one })
})

test('payout get: a warning names what the details do not show, and without the account they confirm no sum', async () => {
  const own = { transactionId: 4711, status: 'SUCCESS', amount: 12.5, currency: 'GEL', uniqueId: handOrder }
  let toIban: string | null = null
  const desk = await handPayout(({ path }, count) => {
    if (path === '/api/distributor')
      return count === 1 ? 'reset' : json({ message: 'Duplicate', statusCode: 5017 }, 400)
    return path === '/api/distributor/details' ? json({ value: { ...own, toIban } }) : undefined
  })
  expect((await desk.pay()).json).toMatchObject({ outcome: 'exists', sumConfirmed: false })
  const read = await desk.run('payout', 'get', '4711')
  expect(read.json, read.stderr).toMatchObject({ status: 'SUCCESS' })
  expect(read.json.warnings).toEqual([expect.stringContaining('the details do not show toIban and description')])
  expect((await desk.pay()).json).toMatchObject({ sumConfirmed: false })
  toIban = beneficiaryIban
  expect((await desk.run('payout', 'get', '4711')).json.warnings).toEqual([expect.stringContaining('description')])
  expect((await desk.pay()).json).toMatchObject({ sumConfirmed: true })
})

test('payout reconcile: details of another transaction end with 9', async () => {
  const home = newHome()
  let known: Record<string, unknown> = {}
  const service = await serviceByHand(({ path, body }) => {
    if (path === '/api/distributor') {
      known = JSON.parse(body) as Record<string, unknown>
      return 'reset'
    }
    const { amount, currency, toIban, uniqueId, description } = known
    const details = { transactionId: 999, status: 'SUCCESS', amount, currency, toIban, uniqueId }
    return path === '/api/distributor/details'
      ? json({ value: { ...details, paymentDescription: description } })
      : undefined
  })
  await addHandProfile(home, service.url)
  const lost = await paydesk([...create({ profile: 'hand', timeout: '1s' }), '--json'], { home })
  expect(lost.code, lost.stderr).toBe(9)
  const reconcile = (id: string) =>
    paydesk(['payout', 'reconcile', String(lost.error.uniqueId), '--transaction-id', id, '-p', 'hand', '--json'], {
      home,
    })
  expect(await reconcile('4711')).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
  expect((await reconcile('999')).json).toMatchObject({ outcome: 'accepted', transactionId: '999' })
})

test('order status and subscription history: members with names of paydesk (profile, warnings) are left out', async () => {
  const said = { profile: 'live', environment: 'live', journalId: 'j-0', warnings: ['send it again'], toJSON: 'x' }
  const desk = await handDesk(({ name }) =>
    name === 'order.status'
      ? { value: { integratorOrderId: handOrder, status: 'SUCCESS', ...said } }
      : { value: [{ status: 'COMPLETED', ...said }] },
  )
  const status = await desk.run('order', 'status', handOrder)
  expect(status.json, status.stderr).toEqual({
    ...{ integratorOrderId: handOrder, status: 'SUCCESS' },
    ...{ journalId: null, profile: 'hand', environment: 'test', refunds: [], warnings: [] },
  })
  const history = await desk.run('subscription', 'history', handOrder)
  expect(history.stdout + history.stderr).not.toContain('send it again')
})
