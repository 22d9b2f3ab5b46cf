import { expect, test } from 'vitest'
import { Failure } from '../../../src/lib/failure.ts'
import type { GivenSettings } from '../../../src/lib/profile/settings.ts'
import { add, clientId, drawer, plainGiven } from '../../kit/profile.ts'

const integrator = '5f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c12'
const here = 'https://pay.example.com'
const there = 'https://other.example.com'
const both: GivenSettings = { ...plainGiven, 'base-url': here, 'client-id': clientId, 'integrator-id': integrator }

async function refusal(directory: string, given: GivenSettings): Promise<string> {
  const error = await add(directory, 'acme', { ...given, replace: true }).catch((thrown: unknown) => thrown)
  if (error instanceof Failure && error.kind === 'usage') return error.message
  throw new Error(`no refusal but ${error}`)
}

async function services(directory: string, given: GivenSettings, name = 'acme') {
  const { profile } = await add(directory, name, { ...given, replace: true })
  return profile.services
}

const all = (name: string) => ({ payouts: name, orders: name, wallet: name })

test('the name is made with the first address, in its one form', async () => {
  expect(await services(drawer(), { ...both, 'base-url': 'https://PAY.example.com:443/v2/' })).toEqual(all(here))
  expect(await services(drawer(), { ...both, 'base-url': 'http://LOCALHOST:80' })).toEqual(all('http://127.0.0.1'))
})

test('another host of a part needs a word: refused by the flag that was given, with both ways out', async () => {
  const directory = drawer()
  await add(directory, 'acme', both)
  for (const flag of ['base-url', 'distributor-url', 'orders-url', 'wallet-url']) {
    const message = await refusal(directory, { [flag]: there })
    expect(message).toContain(`--${flag} would move`)
    expect(message).toContain(`${there}: add --same-service`)
    expect(message).toContain('--another-service')
  }
  expect(await refusal(directory, { 'base-url': there, 'same-service': true, 'another-service': true })).toContain(
    'not both',
  )
  // Another port and another scheme lead to another server, too.
  expect(await refusal(directory, { 'base-url': `${here}:8443` })).toContain('--same-service')
})

test('--same-service keeps the name of what moved, --another-service makes one, and the other parts keep theirs', async () => {
  const directory = drawer()
  await add(directory, 'acme', both)
  const moved = { 'distributor-url': there, 'same-service': true }
  expect(await services(directory, moved)).toEqual(all(here))
  // The same line once more changes nothing.
  expect(await services(directory, moved)).toEqual(all(here))
  const orders = { 'orders-url': 'https://third.example.com', 'another-service': true }
  const after = { payouts: here, orders: 'https://third.example.com', wallet: 'https://third.example.com' }
  expect(await services(directory, orders)).toEqual(after)
  expect(await services(directory, { 'duplicate-guard': 'warn', 'another-service': true })).toEqual(after)
  // Back to the address that its name comes from: no word is needed.
  expect(await services(directory, { 'distributor-url': here })).toEqual(after)
})

test('another spelling needs no word and changes no name', async () => {
  const directory = drawer()
  await add(directory, 'acme', both)
  for (const address of ['https://PAY.EXAMPLE.COM', `${here}:443`, `${here}/v2`]) {
    expect(await services(directory, { 'base-url': address })).toEqual(all(here))
  }
})

test('another client or environment is another service: no flag is needed, and --same-service is refused', async () => {
  for (const change of [{ 'client-id': integrator, 'integrator-id': clientId }, { environment: 'live' }]) {
    const directory = drawer()
    await add(directory, 'acme', both)
    expect(await refusal(directory, { 'base-url': there, 'same-service': true, ...change })).toContain(
      '--same-service cannot hold: another environment or another client is another service',
    )
    expect(await services(directory, { 'base-url': there, ...change })).toEqual(all(there))
  }
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
