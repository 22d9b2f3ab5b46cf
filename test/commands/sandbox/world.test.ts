import { expect, test } from 'vitest'
import { cachedPairs } from '../../kit/key-pairs.ts'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'

const random = cachedPairs

test('the world is printed as one document, numbers exact, and stays the same from call to call', async () => {
  const home = newHome()
  const first = await paydesk(['sandbox', 'world', '--json'], { home, random })
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toContain('"limits":{"minimum":0.02,"maximum":100000}')
  expect(first.json).toMatchObject({
    distributorClients: [
      { name: 'sandbox', paysOutBy: 'iban', permissions: [], currencies: ['GEL', 'USD'] },
      { name: 'sandbox-receiver', paysOutBy: 'receiver', permissions: ['debtor', 'fromIban'], limits: null },
    ],
    rates: { GEL: 1, USD: 2.7, EUR: 3 },
  })
  const second = await paydesk(['sandbox', 'world', '--json'], { home, random })
  expect(second.stdout).toBe(first.stdout)
})

test('the keys in it are those that commands work with', async () => {
  const home = newHome()
  const { json } = await paydesk(['sandbox', 'world', '--json'], { home, random })
  const key = await paydesk(['sandbox', 'world', '--json', '--query', 'integrators[0].servicePublicKey'], {
    home,
    random,
  })
  expect(JSON.parse(key.stdout)).toBe((json.integrators as { servicePublicKey: string }[])[0]?.servicePublicKey)
})

test('a person sees clients, accounts, integrators, receivers, QR codes and cards, and no key', async () => {
  const { stdout } = await paydesk(['sandbox', 'world'], { home: newHome(), random })
  for (const word of [
    ...['sandbox-receiver', 'client secret', '1000000.00', 'Nino Beridze', 'sandbox:failed'],
    ...['sandbox-traffic-fine', 'rsa-pkcs1', 'Old Town Shop', 'qrType=REQUEST', '411111******1111', '2.70'],
  ]) {
    expect(stdout).toContain(word)
  }
  expect(stdout).not.toMatch(/[A-Za-z0-9+/]{100}/)
})
