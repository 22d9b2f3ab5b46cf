import { expect, test } from 'vitest'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, json, serviceByHand } from '../../kit/service.ts'

const balance = (home: string, ...more: string[]) => paydesk(['payout', 'balance', '-p', 'sandbox', ...more], { home })

test('payout balance: every currency is shown, and one without an account says so', async () => {
  const home = newHome()
  const ended = await succeeds(balance(home, '--json'))
  expect(ended.stdout).toContain('"amount":1000000.00')
  expect(ended.json).toEqual([
    { currency: 'GEL', amount: 1000000, note: null },
    { currency: 'USD', amount: 250000, note: null },
    { currency: 'EUR', amount: null, note: 'no account' },
  ])
  const table = await balance(home)
  expect(table.stdout).toMatch(/^GEL +1000000\.00$/m)
  expect(table.stdout).toMatch(/^EUR +no account$/m)
})

test('payout balance --currency: one currency is read, and one without an account is refused (5)', async () => {
  const home = newHome()
  expect((await balance(home, '--currency', 'USD', '--json')).json).toEqual([
    { currency: 'USD', amount: 250000, note: null },
  ])
  const none = await balance(home, '--currency', 'EUR', '--json')
  expect(none).toMatchObject({ code: 5, stdout: '' })
  expect(none.error).toMatchObject({ service: { statusCode: 5015 } })
})

test('payout balance --currency: an unknown currency is refused (2), and nothing is sent', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const ended = await paydesk(['payout', 'balance', '-p', 'hand', '--currency', 'RUB'], { home })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('--currency must be one of GEL, USD, EUR')
  expect(service.seen).toEqual([])
})

test('payout balance: an amount keeps the digits it came with', async () => {
  const home = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor/balance/check'
      ? { body: '{"value":{"amount":90071992547409.930,"currency":"GEL"}}' }
      : undefined,
  )
  await addHandProfile(home, service.url)
  const ended = await paydesk(['payout', 'balance', '-p', 'hand', '--currency', 'GEL', '--json'], { home })
  expect(ended.stdout).toBe('[{"currency":"GEL","amount":90071992547409.930,"note":null}]\n')
})

test('payout balance: a wrong secret is 4, and no balance is asked for', async () => {
  const home = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/api/auth' ? json({ message: 'Incorrect credentials', statusCode: 5021 }, 400) : undefined,
  )
  await addHandProfile(home, service.url)
  const ended = await paydesk(['payout', 'balance', '-p', 'hand', '--json'], { home })
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.error).toMatchObject({ operation: 'auth.token', service: { statusCode: 5021 } })
  expect(service.seen.map(({ path }) => path)).toEqual(['/api/auth'])
})
