import { spawnSync } from 'node:child_process'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cachedPairs } from '../../kit/key-pairs.ts'
import { newHome, paydesk } from '../../kit/program.ts'

const random = cachedPairs

test('sandbox world: prints one JSON document with exact numbers, the same in each call', async () => {
  const home = newHome()
  const first = await paydesk(['sandbox', 'world', '--json'], { home, random })
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toContain('"limits":{"minimum":0.02,"maximum":100000}')
  expect(first.json).toMatchObject({
    distributorClients: [
      { name: 'sandbox', paysOutBy: 'iban', permissions: [], currencies: ['GEL', 'USD'] },
      { name: 'sandbox-receiver', paysOutBy: 'receiver', permissions: ['debtor', 'fromIban'], limits: null },
      {
        name: 'sandbox-full',
        paysOutBy: 'iban',
        permissions: ['debtor', 'fromIban'],
        currencies: ['GEL', 'USD', 'EUR'],
      },
      {
        name: 'sandbox-poor',
        paysOutBy: 'iban',
        permissions: ['debtor', 'fromIban'],
        currencies: ['GEL', 'USD', 'EUR'],
      },
    ],
    rates: { GEL: 1, USD: 2.7, EUR: 3 },
  })
  const second = await paydesk(['sandbox', 'world', '--json'], { home, random })
  expect(second.stdout).toBe(first.stdout)
})

test('sandbox world: who may do nothing has no empty line of permissions', async () => {
  const { stdout } = await paydesk(['sandbox', 'world'], { home: newHome(), random })
  expect(stdout).toMatch(/sandbox-closed: orders\n(?:.*\n){4}permissions +none\n/)
})

test('sandbox world: --query prints a key of the same world', async () => {
  const home = newHome()
  const { json } = await paydesk(['sandbox', 'world', '--json'], { home, random })
  const key = await paydesk(['sandbox', 'world', '--json', '--query', 'integrators[0].servicePublicKey'], {
    home,
    random,
  })
  expect(JSON.parse(key.stdout)).toBe((json.integrators as { servicePublicKey: string }[])[0]?.servicePublicKey)
})

test('sandbox world: a person sees clients, accounts, receivers, QR codes and cards, and no key', async () => {
  const { stdout } = await paydesk(['sandbox', 'world'], { home: newHome(), random })
  for (const word of [
    ...['sandbox-receiver', 'client secret', '1000000.00', 'Nino Beridze', 'sandbox:failed'],
    ...['sandbox-traffic-fine', 'rsa-pkcs1', 'Old Town Shop', 'qrType=REQUEST', '411111******1111', '2.70'],
  ]) {
    expect(stdout).toContain(word)
  }
  expect(stdout).not.toMatch(/[A-Za-z0-9+/]{100}/)
})

const world = async (home: string, ...flags: readonly string[]) =>
  await paydesk(['sandbox', 'world', ...flags], { home, random })

test('sandbox world: a shell evaluates the lines of --env to ids, secret and keys', async () => {
  const home = newHome()
  const { json } = await world(home, '--json')
  const { code, stdout, stderr } = await world(home, '--env', 'sandbox')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^(?:export SANDBOX_[A-Z_]+='[^'\n]+'\n)+$/)
  const shell = spawnSync('sh', ['-c', 'eval "$1" && env', 'sh', stdout], { encoding: 'utf8', env: {} })
  const set = Object.fromEntries(
    shell.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )
  const [client] = json.distributorClients as { clientId: string; clientSecret: string }[]
  const [shop] = json.integrators as { integratorId: string; scheme: string; privateKey: string }[]
  const [wallet] = json.walletIntegrators as { identifier: string; servicePublicKey: string }[]
  expect(set).toMatchObject({
    SANDBOX_BASE_URL: 'http://127.0.0.1:4010',
    SANDBOX_CLIENT_ID: client?.clientId,
    SANDBOX_CLIENT_SECRET: client?.clientSecret,
    SANDBOX_INTEGRATOR_ID: shop?.integratorId,
    SANDBOX_RECEIVER_ID: '5a9db0c0-0301-4a11-8c11-000000000301',
    SANDBOX_SCHEME: shop?.scheme,
    SANDBOX_PRIVATE_KEY: shop?.privateKey,
    SANDBOX_WALLET_IDENTIFIER: wallet?.identifier,
    SANDBOX_WALLET_SERVICE_PUBLIC_KEY: wallet?.servicePublicKey,
  })
  const told = await world(home, '--env', 'sandbox', '--json')
  expect(told.json).toMatchObject({ variables: { SANDBOX_CLIENT_ID: client?.clientId }, files: [] })
})

test('sandbox world: --keys writes both forms of each key, private to the owner (0600), and never overwrites (2)', async () => {
  const home = newHome()
  const directory = join(home, 'new', 'keys')
  const { json } = await world(home, '--env', 'sandbox-legacy', '--keys', directory, '--json')
  const names = ['private', 'public', 'service-public'].flatMap((half) =>
    ['key', 'pem'].map((form) => `sandbox-legacy.${half}.${form}`),
  )
  expect(readdirSync(directory)).toEqual(names)
  expect(json.files).toHaveLength(names.length)
  for (const name of names) expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600)
  const whole = await world(home, '--json')
  const legacy = (whole.json.integrators as { name: string; privateKey: string; servicePublicKey: string }[]).find(
    ({ name }) => name === 'sandbox-legacy',
  )
  const file = (name: string) => readFileSync(join(directory, `sandbox-legacy.${name}`), 'utf8')
  expect(file('private.key').trim()).toBe(legacy?.privateKey)
  expect(file('service-public.key').trim()).toBe(legacy?.servicePublicKey)
  const own = createPrivateKey(file('private.pem'))
  expect(createPublicKey(own).equals(createPublicKey(file('public.pem')))).toBe(true)
  const again = await world(home, '--keys', directory)
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toContain('already exists')
  expect(readdirSync(directory)).toEqual(names)
})

test('sandbox world: --keys without --env writes the keys of every client and lists the files', async () => {
  const home = newHome()
  const directory = join(home, 'all')
  const { stdout } = await world(home, '--keys', directory)
  expect(stdout.trim().split('\n').toSorted()).toEqual(readdirSync(directory).map((name) => join(directory, name)))
  expect(readdirSync(directory)).toContain('sandbox-wallet.private.pem')
})

test.each([
  [['--env', 'nobody'], 'sandbox-treasury'],
  [['--env', 'sandbox-receiver', '--keys', 'keys'], 'has no keys'],
])('sandbox world: %j is refused (2) with the names that exist', async (flags, words) => {
  const ended = await world(newHome(), ...flags)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(words)
})

test('sandbox world: --keys with a file in the place of the directory is refused (2)', async () => {
  const home = newHome()
  const file = join(home, 'keys')
  writeFileSync(file, '')
  const ended = await world(home, '--keys', file)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(file)
})
