import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../kit/paydesk.ts'

test('the world is printed as one document, numbers exact, and stays the same from call to call', async () => {
  const home = newHome()
  const first = await paydesk(['sandbox', 'world', '--json'], { home })
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toContain('"limits":{"minimum":0.02,"maximum":100000}')
  expect(first.json).toMatchObject({
    distributorClients: [
      { name: 'sandbox', paysOutBy: 'iban', permissions: [], currencies: ['GEL', 'USD'] },
      { name: 'sandbox-receiver', paysOutBy: 'receiver', permissions: ['debtor', 'fromIban'], limits: null },
    ],
    receivers: [{ receiverType: 'BRANCH' }, { receiverType: 'USER' }],
  })
  const second = await paydesk(['sandbox', 'world', '--json'], { home })
  expect(second.stdout).toBe(first.stdout)
})

test('a person sees clients, accounts, receivers and the descriptions that decide an end', async () => {
  const { stdout } = await paydesk(['sandbox', 'world'], { home: newHome() })
  for (const word of ['sandbox-receiver', 'client secret', '1000000.00', 'Nino Beridze', 'sandbox:failed']) {
    expect(stdout).toContain(word)
  }
})
