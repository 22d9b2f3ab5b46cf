import { expect, test } from 'vitest'
import type { GivenSettings } from '../../../src/lib/profile/settings.ts'
import { add, clientId, drawer, plainGiven } from '../../kit/profile.ts'

const integrator = '5f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c12'
const here = 'https://pay.example.com'
const there = 'https://other.example.com'
const both: GivenSettings = { ...plainGiven, 'base-url': here, 'client-id': clientId, 'integrator-id': integrator }

async function services(directory: string, given: GivenSettings, name = 'acme') {
  const { profile } = await add(directory, name, { ...given, replace: true })
  return profile.services
}

const all = (name: string) => ({ payouts: name, orders: name, wallet: name })

test('the name is made with the first address, in its one form', async () => {
  expect(await services(drawer(), { ...both, 'base-url': 'https://PAY.example.com:443/v2/' })).toEqual(all(here))
  expect(await services(drawer(), { ...both, 'base-url': 'http://LOCALHOST:80' })).toEqual(all('http://127.0.0.1'))
})

test('a part that nothing was sent to may get any address', async () => {
  const directory = drawer()
  await add(directory, 'acme', { ...plainGiven, 'base-url': here, 'client-id': clientId })
  const named = await services(directory, { 'orders-url': there, 'integrator-id': integrator })
  expect(named).toEqual({ payouts: here, orders: there, wallet: there })
})

test('a second profile of the same client takes over the name that the first one knows the service by', async () => {
  const directory = drawer()
  await add(directory, 'acme', both)
  await services(directory, { 'base-url': there, 'same-service': true })
  expect(await services(directory, { ...both, 'base-url': `${there}/v2` }, 'twin')).toEqual(all(here))
  const stranger = { ...both, 'base-url': there, 'client-id': integrator, 'integrator-id': clientId }
  expect(await services(directory, stranger, 'stranger')).toEqual(all(there))
  expect(await services(directory, { ...both, 'base-url': there, environment: 'live' }, 'live')).toEqual(all(there))
})
