import { describe, expect, test } from 'vitest'
import { done, order, ordered, place } from '../../../kit/order/scene.ts'
import { create, type Flags } from '../../../kit/payment.ts'
import { newHome, paydesk } from '../../../kit/program/paydesk.ts'

const debtor = {
  'debtor-name': 'Example LLC',
  'debtor-iban': 'GE29TB7777777777777777',
  'debtor-identity-number': '206322102',
}

describe('a client with everything', () => {
  const full = (home: string, more: Flags = {}) =>
    paydesk([...create({ profile: 'sandbox-full', ...more }), '--json'], { home })

  test.each([
    ['GEL', 'GE23SB1000000000000021', 1_000_000 - 12.57],
    ['USD', 'GE93SB1000000000000022', 250_000 - 12.57],
    ['EUR', 'GE66SB1000000000000023', 150_000 - 12.57],
  ])('pays by IBAN in %s, with debtor fields, from the account that it names', async (currency, account, left) => {
    const home = newHome()
    const paid = await full(home, { currency, 'from-iban': account, ...debtor })
    expect(paid.code, paid.stderr).toBe(0)
    const balance = await paydesk(['payout', 'balance', '-p', 'sandbox-full', '--currency', currency, '--json'], {
      home,
    })
    expect(balance.json).toEqual([{ currency, amount: left, note: null }])
  })

  test('has a second account, and limits', async () => {
    const home = newHome()
    expect((await full(home, { 'from-iban': 'GE39SB1000000000000024' })).code).toBe(0)
    expect((await full(home, { amount: '100000.01' })).error).toMatchObject({ service: { statusCode: 5046 } })
    expect((await full(home, { amount: '0.01' })).error).toMatchObject({ service: { statusCode: 5045 } })
  })
})

test.each([
  ['more than it has', { amount: '20.01' }],
  ['all that it has: there is a commission', { amount: '20.00' }],
  ['the smallest payout from its second account', { amount: '0.02', 'from-iban': 'GE60SB1000000000000034' }],
])('a client with little money cannot pay %s (5038)', async (_, more: Flags) => {
  const home = newHome()
  const poor = (flags: Flags) => paydesk([...create({ profile: 'sandbox-poor', ...flags }), '--json'], { home })
  expect((await poor(more)).error).toMatchObject({ service: { statusCode: 5038 } })
  const paid = await poor({ amount: '19.90', ...debtor })
  expect(paid.code, paid.stderr).toBe(0)
})

test('an integrator with OAEP and 4096-bit keys creates an order and reads it', async () => {
  const around = place()
  const id = await ordered(around, { profile: 'sandbox-4096' })
  const seen = await done(['order', 'status', id, '-p', 'sandbox-4096'], around)
  expect(seen.json).toMatchObject({ integratorOrderId: id, status: 'INITIAL' })
  const opened = await done(
    order({ profile: 'sandbox-4096', 'direct-link-provider': 'BOG', 'save-card': true }),
    around,
  )
  expect(opened.json.urlForQR).toMatch(/^http/)
})
