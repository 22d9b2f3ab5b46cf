import { expect, test } from 'vitest'
import { listening, post } from '../../kit/callback.ts'
import type { Flags } from '../../kit/payment.ts'
import { paydesk } from '../../kit/program.ts'
import { done, onSandbox, ordered, place, subscribed } from '../../kit/world.ts'

const charge = { subscriptionId: 'sub-1', historyId: 'h-1', status: 'COMPLETED', amount: 5 }

test('subscription list: what callbacks named stands before orders with a plan; charges, and what was revoked here, are told', async () => {
  const around = place()
  await ordered(around)
  const revoked = await subscribed(around)
  await done(['subscription', 'revoke', revoked, '--yes', ...onSandbox], around)
  const { url, stop } = await listening(around, ...onSandbox)
  for (const body of [
    charge,
    charge,
    { ...charge, historyId: 'h-2', status: 'FAILED', amount: 6 },
    { ...charge, subscriptionId: revoked },
  ]) {
    await post(url, body)
    around.clock.skip(1_000)
  }
  await stop()
  const { json } = await done(['subscription', 'list'], around)
  expect(json).toEqual([
    expect.objectContaining({ subscriptionId: revoked, charges: 1, revoked: 'yes', plan: null }),
    {
      ...{ subscriptionId: 'sub-1', integratorOrderId: null, plan: null, charges: 2, revoked: 'no' },
      lastCharge: { at: expect.stringMatching(/Z$/), status: 'FAILED', amount: 6 },
      ...{ journalId: null, key: null, state: null, status: null, profile: 'sandbox' },
    },
    expect.objectContaining({
      ...{ subscriptionId: null, plan: 'GEL 9.90 every week', charges: 0, lastCharge: null, revoked: 'no' },
      ...{ state: 'accepted', journalId: expect.stringMatching(/^j-/) },
    }),
  ])
})

test('subscription list: a callback that names order and subscription joins the two rows', async () => {
  const around = place()
  const plan: Flags = { amount: '0', 'direct-link-provider': 'BOG', 'save-card': true, plan: 'weekly:1:9.90' }
  const integratorOrderId = await ordered(around, plan)
  const { url, stop } = await listening(around, ...onSandbox)
  await post(url, { integratorOrderId, subscriptionId: 'sub-7', status: 'SUCCESS', amount: 9.9 })
  await post(url, { ...charge, subscriptionId: 'sub-7' })
  await stop()
  const { json } = await done(['subscription', 'list'], around)
  expect(json).toMatchObject([{ subscriptionId: 'sub-7', integratorOrderId, charges: 1, plan: 'GEL 9.90 every week' }])
  const table = await paydesk(['subscription', 'list'], { ...around, terminal: true, columns: 200 })
  expect(table.stdout).toMatch(/sub-7 .*GEL 9\.90 every week/)
})
