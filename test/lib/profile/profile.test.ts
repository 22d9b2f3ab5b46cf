import { readFileSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Given } from '../../../src/lib/profile/given.ts'
import { resolveProfile } from '../../../src/lib/profile/profile.ts'
import { add, clientId, drawer, fixture, plainGiven, put } from './desk-drawer.ts'

const payouts: Given = { ...plainGiven, 'client-id': clientId }

async function resolved(given: Given, env: Record<string, string> = {}) {
  const { profile } = await add(drawer(), 'acme', { ...payouts, 'client-secret-env': 'PAY', ...given })
  return resolveProfile(profile, env)
}

test('payouts go to the base URL, or to the one of their own', async () => {
  const shared = await resolved({ 'base-url': 'https://Pay.Example.com/prefix/' })
  expect(shared).toMatchObject({ service: 'https://pay.example.com/prefix', baseUrl: 'https://pay.example.com/prefix' })
  const own = await resolved({ 'distributor-url': 'https://payouts.example.com/' })
  expect(own).toMatchObject({ service: 'https://payouts.example.com', baseUrl: 'https://payouts.example.com' })
})

test('the duplicate guard refuses on live and warns on test, unless the profile says otherwise', async () => {
  expect((await resolved({ environment: 'live' })).duplicateGuard).toBe('refuse')
  expect((await resolved({})).duplicateGuard).toBe('warn')
  expect((await resolved({ environment: 'live', 'duplicate-guard': 'off' })).duplicateGuard).toBe('off')
})

test('restricted fields are permitted only to clients that the service permits them', async () => {
  expect([...(await resolved({})).permits]).toEqual([])
  expect([...(await resolved({ 'allow-restricted': true })).permits]).toEqual(['debtor', 'fromIban'])
})

test('the secret is fetched when it is asked for and not before', async () => {
  const directory = drawer()
  const path = put(directory, 'secret', 's3cret\n')
  const { profile } = await add(directory, 'acme', { ...payouts, 'client-secret-file': path })
  const ready = await resolveProfile(profile, {})
  expect(await ready.clientSecret()).toBe('s3cret')
  expect(JSON.stringify(ready)).not.toContain('s3cret')
  rmSync(path)
  await expect(ready.clientSecret()).rejects.toMatchObject({ kind: 'credentials' })
})

test('a profile without payouts names the flags of profile add that give them', async () => {
  const { profile: bare } = await add(drawer(), 'acme', plainGiven)
  const failure = await resolveProfile(bare, {}).catch((error) => error)
  expect(failure).toMatchObject({
    kind: 'credentials',
    exit: 4,
    message: 'profile acme has no client id, which payouts need',
  })
  expect(failure.facts.hints[0]).toContain('paydesk profile add acme --client-id <uuid> --client-secret-file <file>')
  const { profile } = await add(drawer(), 'acme', payouts)
  await expect(resolveProfile(profile, {})).rejects.toMatchObject({
    message: expect.stringContaining('no client secret'),
  })
  const ready = await resolveProfile(profile, { PAYDESK_CLIENT_SECRET: 's' })
  expect(await ready.clientSecret()).toBe('s')
})

test('certificates are read, and a file that is gone is said by its flag', async () => {
  const directory = drawer()
  const ca = put(directory, 'ca.pem', readFileSync(fixture('client.pem')))
  const certificates = { 'client-certificate-file': fixture('client.pem'), 'client-key-file': fixture('client.key') }
  const { profile } = await add(directory, 'a', {
    ...payouts,
    'client-secret-env': 'P',
    'ca-file': ca,
    ...certificates,
  })
  const { transport } = await resolveProfile(profile, {})
  expect(transport.ca).toContain('BEGIN CERTIFICATE')
  expect(transport.clientCertificate).toEqual({
    cert: readFileSync(fixture('client.pem'), 'utf8'),
    key: readFileSync(fixture('client.key'), 'utf8'),
  })
  rmSync(ca)
  await expect(resolveProfile(profile, {})).rejects.toMatchObject({
    kind: 'credentials',
    message: `--ca-file of profile a: ${ca} cannot be read: it does not exist`,
  })
})
