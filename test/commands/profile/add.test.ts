import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyPair } from '../../kit/key-pairs.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'

const clientId = '3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11'
const base = ['profile', 'add', 'acme', '--base-url', 'https://pay.example.com/', '--environment', 'live']

function configOf(home: string): string {
  return join(home, 'config', 'config.json')
}

test('profile add: all flags given, it asks nothing, and tells what it stored without the secret', async () => {
  const home = newHome()
  const secret = join(home, 'secret')
  writeFileSync(secret, 's3cret\n', { mode: 0o600 })
  const argv = [...base, '--client-id', clientId, '--client-secret-file', secret, '--use', '--json']
  const { code, json, stdout, stderr } = await paydesk(argv, { home })
  expect([code, stderr]).toEqual([0, ''])
  expect(json).toMatchObject({
    name: 'acme',
    environment: 'live',
    baseUrl: 'https://pay.example.com',
    default: true,
    duplicateGuard: 'refuse',
    clientSecret: { from: 'file', there: true },
    extended: false,
    warnings: [],
  })
  expect(stdout).not.toContain('s3cret')
  expect(statSync(configOf(home)).mode & 0o777).toBe(0o600)
})

test('profile add: a secret from stdin with --store-secrets is stored and never printed', async () => {
  const home = newHome()
  const argv = [...base, '--client-id', clientId, '--client-secret-stdin', '--store-secrets']
  const { code, stdout, stderr } = await paydesk(argv, { home, stdin: 's3cret\n' })
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain('s3cret')
  expect(readFileSync(configOf(home), 'utf8')).toContain('"s3cret"')
})

test('profile add: all wrong flags are named at once (2) and nothing is written', async () => {
  const home = newHome()
  const argv = ['profile', 'add', 'sandbox', '--base-url', 'http://127.0.0.1:1', '--environment', 'live', '--json']
  const { code, stdout, error } = await paydesk([...argv, '--client-id', '7', '--order-type', 'X'], { home })
  expect([code, stdout]).toEqual([2, ''])
  const { message } = error
  for (const said of [
    'the name is built in',
    '--base-url must be https',
    '--client-id must be',
    '--order-type must be',
  ]) {
    expect(message).toContain(said)
  }
  expect(error.hints).toContainEqual(expect.stringContaining('To try limits in the sandbox, start it'))
  expect(existsSync(configOf(home))).toBe(false)
})

test('profile add: a secret as an argument is refused (2) and not repeated', async () => {
  for (const typed of [['--client-secret', 's3cret'], ['--client-secret=s3cret']]) {
    const { code, stdout, stderr } = await paydesk([...base, ...typed], { home: newHome() })
    expect(code).toBe(2)
    expect(stdout + stderr).not.toContain('s3cret')
  }
})

test('profile add: a secret file that others can read is a warning', async () => {
  const home = newHome()
  const secret = join(home, 'secret')
  writeFileSync(secret, 's', { mode: 0o644 })
  const argv = [...base, '--client-id', clientId, '--client-secret-file', secret]
  expect((await paydesk(argv, { home })).stderr).toContain(`others can read ${secret}`)
  const { json, stderr } = await paydesk([...argv, '--json'], { home })
  expect(stderr).toBe('')
  expect(json).toMatchObject({ extended: true, warnings: [expect.stringContaining(secret)] })
})

test('profile add: an existing profile is changed with --replace only (2 without it)', async () => {
  const home = newHome()
  await paydesk(base, { home })
  const argv = ['profile', 'add', 'acme', '--environment', 'test']
  const { code, stderr } = await paydesk(argv, { home })
  expect(code).toBe(2)
  expect(stderr).toContain('--environment is already set (live); add --replace to change it')
  expect((await paydesk([...argv, '--replace', '--json'], { home })).json).toMatchObject({ environment: 'test' })
})

const limits = (json: Record<string, unknown>) => (json.limits as { limit: string }[]).map(({ limit }) => limit)
const add = (home: string, ...argv: readonly string[]) =>
  paydesk(['profile', 'add', 'acme', ...argv, '--json'], { home })

test('profile add: several --limit are stored in one form, each kind once', async () => {
  const home = newHome()
  const argv = ['--limit', 'GEL 5000/payout', '--limit', 'GEL 20000/day', '--limit', '100/hour']
  const added = await succeeds(paydesk([...base, ...argv, '--json'], { home }))
  expect(added.json.limits).toMatchObject([
    { limit: 'GEL 5000.00/payout', per: 'payout', currency: 'GEL', most: 5000, spent: null, left: null },
    { limit: 'GEL 20000.00/day', per: 'day', currency: 'GEL', most: 20000, spent: 0, left: 20000 },
    { limit: '100/hour', per: 'hour', currency: null, most: 100 },
  ])
  // The same line may run twice, and a limit of another kind is added.
  expect((await add(home, '--limit', 'GEL 20000.00/day')).json.warnings).toEqual([])
  expect(limits((await add(home, '--limit', 'USD 100/day')).json)).toHaveLength(4)
  expect(JSON.parse(readFileSync(configOf(home), 'utf8')).profiles.acme.limits).toEqual([
    'GEL 5000.00/payout',
    'GEL 20000.00/day',
    '100/hour',
    'USD 100.00/day',
  ])
})

test('profile add: a limit is changed or removed with --replace only (2), and a looser one is a warning', async () => {
  const home = newHome()
  await paydesk([...base, '--limit', 'GEL 5000/payout', '--limit', 'GEL 20000/day'], { home })
  const looseningComplaints = await add(home, '--limit', 'GEL 10000/day', '--remove-limit', 'GEL 5000/payout')
  expect(looseningComplaints.code).toBe(2)
  expect(looseningComplaints.error.message).toContain(
    '--limit is already set (GEL 20000.00/day); add --replace to change it',
  )
  expect(looseningComplaints.error.message).toContain(
    '--remove-limit is already set (GEL 5000.00/payout); add --replace to change it',
  )
  const tighter = await add(home, '--limit', 'GEL 10000/day', '--replace')
  expect(tighter.json).toMatchObject({ warnings: [] })
  expect(limits(tighter.json)).toEqual(['GEL 5000.00/payout', 'GEL 10000.00/day'])
  const looser = await add(home, '--limit', 'GEL 30000/day', '--remove-limit', 'GEL 5000.00/payout', '--replace')
  expect(limits(looser.json)).toEqual(['GEL 30000.00/day'])
  expect(looser.json.warnings).toEqual([
    'payouts are limited less than before: GEL 5000.00/payout was removed',
    'payouts are limited less than before: GEL 30000.00/day instead of GEL 10000.00/day',
  ])
  const none = await add(home, '--remove-limit', 'all', '--replace')
  expect(none.json).toMatchObject({ limits: [], warnings: [expect.stringContaining('GEL 30000.00/day was removed')] })
  expect(JSON.parse(readFileSync(configOf(home), 'utf8')).profiles.acme.limits).toBeUndefined()
})

test('profile add: --remove-limit all with one --limit leaves that one', async () => {
  const home = newHome()
  await paydesk([...base, '--limit', 'GEL 5000/payout', '--limit', 'GEL 20000/day'], { home })
  const ended = await add(home, '--remove-limit', 'all', '--limit', 'GEL 1/day', '--replace')
  expect(limits(ended.json)).toEqual(['GEL 1.00/day'])
})

test('profile add: a malformed, contradicting or missing limit is refused by name (2)', async () => {
  const home = newHome()
  const argv = ['--limit', 'GEL 5,000/payout', '--limit', 'GEL 1/day', '--limit', 'GEL 2/day', '--limit', '1/payout']
  const ended = await paydesk([...base, ...argv, '--remove-limit', 'USD 1/day', '--json'], { home })
  expect(ended.code).toBe(2)
  for (const said of [
    '--limit needs a plain number like 5000 or 5000.50, not "5,000"',
    '--limit says two things: GEL 1.00/day and GEL 2.00/day',
    '--limit needs a currency in "1/payout"',
    '--remove-limit names USD 1.00/day, and the profile has none',
  ]) {
    expect(ended.error.message).toContain(said)
  }
  expect(existsSync(configOf(home))).toBe(false)
})

test('profile show: a limit damaged by hand makes the profile unusable (4)', async () => {
  const home = newHome()
  await paydesk([...base, '--limit', 'GEL 5000/payout'], { home })
  writeFileSync(configOf(home), readFileSync(configOf(home), 'utf8').replace('GEL 5000.00/payout', 'GEL lots/payout'))
  const ended = await paydesk(['profile', 'show', 'acme', '--json'], { home })
  expect(ended.code).toBe(4)
  expect(ended.error.message).toContain('"limits" needs a plain number like 5000 or 5000.50, not "lots"')
})

test('profile add: a wallet identifier that is no UUID is refused (2), and one stored before stays usable', async () => {
  const home = newHome()
  const ended = await paydesk([...base, '--wallet-identifier', 'wallet-7', '--json'], { home })
  expect(ended.code).toBe(2)
  expect(ended.error.message).toContain('--wallet-identifier must be a UUID: it is who you are in each request')
  expect(ended.error.message).toContain('in the place of --integrator-id')
  await paydesk([...base, '--wallet-identifier', clientId], { home })
  writeFileSync(configOf(home), readFileSync(configOf(home), 'utf8').replace(clientId, 'wallet-7'))
  const shown = await paydesk(['profile', 'show', 'acme', '--json'], { home })
  expect(shown.json).toMatchObject({ walletIdentifier: 'wallet-7' })
  const more = await paydesk(['profile', 'add', 'acme', '--client-id', clientId, '--json'], { home })
  expect([more.code, more.stderr]).toEqual([0, ''])
})

test.each([
  ['private-key', 'the public half', 'is a public key'],
  ['wallet-private-key', 'the public half', 'is a public key'],
  ['service-public-key', 'the private half', 'is a private key'],
  ['wallet-service-public-key', 'the private half', 'is a private key'],
  ['private-key', 'words', 'is no key'],
  ['service-public-key', 'an empty file', 'is empty'],
  ['client-key-file', 'words', 'holds no private key'],
] as const)('profile add --%s: a file that holds %s is refused (2), and nothing is kept', async (flag, what, why) => {
  const home = newHome()
  const { publicKey, privateKey } = await keyPair(2048)
  const held = {
    'the public half': publicKey,
    'the private half': privateKey,
    words: 'not a key\n',
    'an empty file': '',
  }
  const path = join(home, 'some.key')
  writeFileSync(path, held[what], { mode: 0o600 })
  const { code, error } = await paydesk([...base, `--${flag}`, path, '--json'], { home })
  expect([code, error.moneyMoved]).toEqual([2, 'no'])
  expect(error.message).toContain(`--${flag} ${path} ${why}`)
  expect(existsSync(configOf(home))).toBe(false)
})
