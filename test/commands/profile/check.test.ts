import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Scheme } from '../../../src/lib/envelope/scheme.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { cachedPairs, keyPair } from '../../kit/key-pairs.ts'
import { type Flags, flags } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { walletBranch } from '../../kit/sandbox/integrator.ts'
import {
  addHandProfile,
  addSealedProfile,
  handIdentifier,
  json,
  type Said,
  type SealedCall,
  sealedByHand,
} from '../../kit/service.ts'
import { freePort } from '../../kit/tools.ts'
import { secretsOf, standingSandbox } from '../../kit/world.ts'

const sandboxClient = '5a9db0c0-0001-4a11-8c11-000000000001'

/** A profile of one's own at a sandbox that stands; `secret` is what its file holds. */
async function standing(secret?: string) {
  const home = newHome()
  const { url, requests } = await standingSandbox(home)
  const file = join(home, 'own.secret')
  writeFileSync(file, secret ?? String((await secretsOf(home))[0]), { mode: 0o600 })
  const given = { 'base-url': url, environment: 'test', 'client-id': sandboxClient, 'client-secret-file': file }
  expect(await paydesk(['profile', 'add', 'own', ...flags(given)], { home })).toMatchObject({ code: 0 })
  const check = (...more: string[]) => paydesk(['profile', 'check', '-p', 'own', ...more], { home })
  return { home, url, file, check, requests }
}

const sandboxOf = (home: string) => ({ home, random: cachedPairs })

test('profile check: tells identity, address, exact balances and each part with its evidence (0)', async () => {
  const ended = await paydesk(['profile', 'check', '-p', 'sandbox', '--json'], sandboxOf(newHome()))
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
  const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
  const common = { address, works: true }
  expect(ended.json).toEqual({
    profile: 'sandbox',
    environment: 'sandbox',
    address,
    clientId: sandboxClient,
    balances: [
      { currency: 'GEL', amount: 1_000_000, note: null },
      { currency: 'USD', amount: 250_000, note: null },
      { currency: 'EUR', amount: null, note: 'no account' },
    ],
    parts: [
      {
        part: 'payouts',
        ...common,
        identity: sandboxClient,
        scheme: null,
        says: expect.stringContaining('sign-in works'),
      },
      {
        ...{ part: 'orders', ...common, identity: '5a9db0c0-0101-4a11-8c11-000000000101', scheme: 'oaep-sha256' },
        says: expect.stringMatching(/6005.*your private key was not tried/),
      },
      {
        ...{ part: 'wallet', ...common, identity: '5a9db0c0-0201-4a11-8c11-000000000201', scheme: 'rsa-pkcs1' },
        says: expect.stringMatching(/6045.*your private key was not tried/),
      },
    ],
  })
  expect(ended.stdout).toContain('"amount":1000000.00')
})

test.each([
  ['sandbox-receiver', ['payouts']],
  ['sandbox-bare', ['orders']],
  ['sandbox-legacy', ['orders']],
  ['sandbox-pkcs1', ['orders']],
  ['sandbox-4096', ['orders']],
  ['sandbox-full', ['payouts']],
  ['sandbox-poor', ['payouts']],
])('profile check: %s has the parts %j', async (profile, parts) => {
  const ended = await succeeds(paydesk(['profile', 'check', '-p', profile, '--json'], sandboxOf(newHome())))
  expect((ended.json.parts as { part: string }[]).map(({ part }) => part)).toEqual(parts)
  if (!parts.includes('payouts')) expect(ended.json).toMatchObject({ clientId: null, balances: [] })
})

test('profile check: an order from the journal is read, so both keys are proved', async () => {
  const around = sandboxOf(newHome())
  const uri = `https://pay.example/pay?qrType=DEFAULT&receiverType=BRANCH&receiverId=${walletBranch}`
  await succeeds(paydesk(['wallet', 'create', '-p', 'sandbox', '--uri', uri, '--yes'], around))
  const ended = await succeeds(paydesk(['profile', 'check', '-p', 'sandbox', '--part', 'wallet', '--json'], around))
  expect(ended.json.parts).toMatchObject([{ part: 'wallet', says: expect.stringContaining('both keys work') }])
})

test('profile check: a person is told that the profile works, and once that it is the sandbox', async () => {
  const ended = await succeeds(paydesk(['profile', 'check', '-p', 'sandbox-receiver'], { home: newHome() }))
  expect(ended.stdout).toContain('Profile sandbox-receiver works')
  expect(ended.stdout).toMatch(/^EUR +75000\.00$/m)
  expect(ended.stderr).toContain('sandbox: no real money')
  const whole = await paydesk(['profile', 'check', '-p', 'sandbox'], sandboxOf(newHome()))
  for (const line of [/^payouts$/m, /^orders$/m, /^scheme +rsa-pkcs1$/m]) expect(whole.stdout).toMatch(line)
  expect(whole.stderr.match(/sandbox: no real money/g), 'it is said once').toHaveLength(1)
})

test('profile check: a wrong secret is told (4) and not repeated', async () => {
  const { check } = await standing('a-secret-of-yesterday')
  const ended = await check('--json')
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.error).toMatchObject({
    name: 'credentials',
    operation: 'auth.token',
    service: { statusCode: 5021 },
    moneyMoved: 'no',
    retry: 'after-fix',
  })
  expect(ended.stderr).not.toContain('a-secret-of-yesterday')
})

test('profile check: a wrong secret is found (4) though a stored token still works', async () => {
  const { home, file, check } = await standing()
  expect(await check()).toMatchObject({ code: 0 })
  writeFileSync(file, 'a-secret-of-yesterday')
  const balance = await paydesk(['payout', 'balance', '-p', 'own'], { home })
  expect(balance.code, 'the token that was kept still opens the door').toBe(0)
  expect(await check()).toMatchObject({ code: 4, stdout: '' })
})

test('profile check: an address without a server is unsent (11) and safe to run again', async () => {
  const home = newHome()
  await addHandProfile(home, `http://127.0.0.1:${await freePort()}`)
  const ended = await paydesk(['profile', 'check', '-p', 'hand', '--json'], {
    home,
    clock: hurriedClock(),
    random: impatient,
  })
  expect(ended).toMatchObject({ code: 11, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'unsent', moneyMoved: 'no', retry: 'same-id' })
  expect(ended.error.message).toContain('ECONNREFUSED')
})

test('profile check: a profile without any identity is told (4) with the flags that give one', async () => {
  const home = newHome()
  await paydesk(['profile', 'add', 'bare', '--base-url', 'https://pay.example.com', '--environment', 'test'], { home })
  const ended = await paydesk(['profile', 'check', '-p', 'bare', '--json'], { home })
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.error.message).toContain('no client id, integrator id or identifier of the wallet')
  for (const flag of ['--client-id', '--integrator-id', '--wallet-identifier']) expect(ended.stderr).toContain(flag)
})

test('profile check: an unknown profile, and none named off a terminal, are refused (4)', async () => {
  const home = newHome()
  expect(await paydesk(['profile', 'check', '-p', 'nobody'], { home })).toMatchObject({ code: 4, stdout: '' })
  expect(await paydesk(['profile', 'check'], { home })).toMatchObject({ code: 4, stdout: '' })
})

const integratorId = '5c2f7a10-1111-4a11-8c11-000000000101'
const unknown = (code: number): Said => ({ code, group: 5 })
const asked = { home: '', clock: hurriedClock(), random: impatient }

/** Its service says `said`; the profile is of the wallet unless `more` says otherwise. */
async function sealed(said: (call: SealedCall) => Said, more: Flags = {}, scheme: Scheme = 'rsa-pkcs1') {
  const home = newHome()
  const service = await sealedByHand(said, scheme)
  await addSealedProfile(home, 'own', service.url, more)
  const check = (...argv: string[]) => paydesk(['profile', 'check', '-p', 'own', '--json', ...argv], { ...asked, home })
  return { home, service, check }
}
const ofOrders: Flags = { 'wallet-identifier': null, 'integrator-id': integratorId }

test('profile check: for a wallet-only profile a random order is read under its identifier', async () => {
  const { service, check } = await sealed(() => unknown(6045))
  const ended = await succeeds(check())
  expect(ended.json).toMatchObject({
    ...{ profile: 'own', environment: 'test', address: service.url, clientId: null, balances: [] },
    parts: [{ part: 'wallet', address: service.url, identity: handIdentifier, scheme: 'rsa-pkcs1', works: true }],
  })
  expect(service.calls).toMatchObject([
    {
      name: 'wallet.details',
      request: { identifier: handIdentifier, uniqueId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      count: 1,
    },
  ])
})

test('profile check: an orders-only profile checks the wallet only when --part asks for it', async () => {
  const { service, check } = await sealed(
    ({ name }) => unknown(name === 'order.status' ? 6005 : 6045),
    ofOrders,
    'oaep-sha256',
  )
  expect((await check()).json).toMatchObject({ parts: [{ part: 'orders', identity: integratorId }] })
  expect(service.calls.map(({ name }) => name)).toEqual(['order.status'])
  const both = await check('--part', 'wallet', '--part', 'orders')
  expect(both, 'its scheme is another one: one block').toMatchObject({ code: 4, stdout: '' })
  expect(both.error.message).toMatch(/^wallet: /)
  expect(service.calls.map(({ name }) => name)).toEqual(['order.status', 'order.status'])
})

test('profile check: each part is asked at its own address', async () => {
  const { home, service } = await sealed(() => unknown(6045))
  const orders = await sealedByHand(() => unknown(6005), 'oaep-sha256')
  const more = { 'orders-url': orders.url, 'wallet-url': service.url, 'integrator-id': integratorId }
  await addSealedProfile(home, 'two', 'https://nowhere.example.com', more)
  const ended = await succeeds(paydesk(['profile', 'check', '-p', 'two', '--json'], { ...asked, home }))
  expect(ended.json).toMatchObject({ address: orders.url, parts: [{ address: orders.url }, { address: service.url }] })
})

test.each([
  [6004, 5],
  [6044, 5],
  [6010, 6],
  [6011, 6],
  [6013, 6],
])('profile check: the answer %i means a wrong identity or key (4), and the part is named', async (code, group) => {
  const { check } = await sealed(() => ({ code, group }))
  const ended = await check()
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'credentials', service: { statusCode: code }, moneyMoved: 'no' })
  expect(ended.error.message).toMatch(/^wallet: /)
})

test('profile check: another public key of the service is noticed (4)', async () => {
  const { home, check } = await sealed(() => unknown(6045))
  writeFileSync(join(home, 'service.pub'), (await keyPair(2048, 2)).publicKey)
  expect((await check()).error).toMatchObject({ exit: 4, service: { statusCode: 6010 } })
})

test('profile check: a missing private key is named with its flag (4) and nothing is sent', async () => {
  const { service, check } = await sealed(() => unknown(6005), { ...ofOrders, 'private-key': null }, 'oaep-sha256')
  const ended = await check()
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.error.message).toBe('orders: profile own has no private key, which orders need')
  expect(ended.stderr).toContain('--private-key <file>')
  expect(service.seen).toEqual([])
})

test('profile check: an address without its prefix is unknown (9), and --orders-url is suggested', async () => {
  const { check } = await sealed(
    () => ({ plain: json({ message: 'There is no such path' }, 404) }),
    ofOrders,
    'oaep-sha256',
  )
  const ended = await check()
  expect(ended).toMatchObject({ code: 9, stdout: '' })
  expect(ended.error).toMatchObject({ operation: 'order.status', moneyMoved: 'no' })
  expect(ended.stderr).toContain('--orders-url sets the address for orders')
})

test('profile check: the first part that fails ends the check, payouts before orders (4)', async () => {
  const { service, check } = await sealed(
    () => unknown(6005),
    { ...ofOrders, 'client-id': sandboxClient },
    'oaep-sha256',
  )
  const ended = await check()
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.error.message).toMatch(/^payouts: .*client secret/)
  expect(service.seen).toEqual([])
  await succeeds(check('--part', 'orders'))
})

test('profile check: an unknown --part is a usage error (2)', async () => {
  expect(await paydesk(['profile', 'check', '--part', 'cards'], { home: newHome() })).toMatchObject({ code: 2 })
})
