/** Reads that answer about something else, or speak in paydesk's own name, are not believed. */
import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { broken, foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { addHandProfile, json, serviceByHand } from '../kit/service/service-by-hand.ts'

test('a balance of another currency is none of the one that was asked for', async () => {
  const home = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor/balance/check' ? json({ value: { amount: 100, currency: 'USD' } }) : undefined,
  )
  await addHandProfile(home, service.url)
  const ended = await paydesk(['payout', 'balance', '--currency', 'GEL', '-p', 'hand', '--json'], { home })
  expect(ended, ended.stdout).toMatchObject({ code: 9, stdout: '' })
  const own = await paydesk(['payout', 'balance', '--currency', 'USD', '-p', 'hand', '--json'], { home })
  expect(own.code, own.stderr).toBe(0)
})

test('the card of another order is not charged', async () => {
  const desk = await handDesk(({ name }) =>
    name === 'card.get' ? { value: { token: foreignOrder, integratorOrderId: foreignOrder } } : broken,
  )
  expect(await desk.run('card', 'get', handOrder)).toMatchObject({ code: 9, stdout: '' })
})

test('a payout is not reconciled with a transaction that the answer does not speak of', async () => {
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

test('a read does not speak in the name of paydesk', async () => {
  const said = { profile: 'live', environment: 'live', journalId: 'j-0', warnings: ['send it again'], toJSON: 'x' }
  const desk = await handDesk(({ name }) =>
    name === 'order.status'
      ? { value: { integratorOrderId: handOrder, status: 'SUCCESS', ...said } }
      : { value: [{ status: 'COMPLETED', ...said }] },
  )
  const status = await desk.run('order', 'status', handOrder)
  expect(status.json, status.stderr).toEqual({
    ...{ integratorOrderId: handOrder, status: 'SUCCESS' },
    ...{ journalId: null, profile: 'hand', environment: 'test', warnings: [] },
  })
  const history = await desk.run('subscription', 'history', handOrder)
  expect(history.stdout + history.stderr).not.toContain('send it again')
})
