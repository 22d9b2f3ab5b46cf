/** What leaves the machine, and what does not: --dry-run, --trace and the access token. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, handClient, handSecret, handToken, serviceByHand } from '../../kit/service.ts'
import { addFault, ledgerOf, secretsOf, standingSandbox } from '../../kit/world.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

test('payout create --dry-run: method, address, headers and body are those sent later, with the token hidden', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const argv = create({ profile: 'hand', 'unique-id': id, 'beneficiary-name': 'ნინო ბერიძე', amount: '100.00' })
  const dry = await succeeds(paydesk([...argv, '--dry-run', '--json'], { home }))
  expect(service.seen, 'no socket').toEqual([])
  expect(await paydesk(argv, { home })).toMatchObject({ code: 0 })
  const [sent] = service.creates
  const { method, url, headers, body } = dry.json as Record<'method' | 'url' | 'body', string> & {
    headers: Record<string, string>
  }
  expect(`${method} ${url}`).toBe(`${sent?.method} ${service.url}${sent?.path}`)
  expect(body).toBe(sent?.body)
  for (const [name, value] of Object.entries(headers)) {
    expect(sent?.headers[name]).toBe(value.replace('[access token]', handToken))
  }
  expect(dry.json).toMatchObject({ dryRun: true, profile: 'hand', environment: 'test' })
})

test('payout create --dry-run: the request is shown as it stands on the wire', async () => {
  const ended = await paydesk(create({ 'dry-run': true, 'unique-id': id }), { home: newHome() })
  expect(ended.code).toBe(0)
  expect(ended.stdout).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/api\/distributor$/m)
  expect(ended.stdout).toMatch(/^authorization: Bearer \[access token\]$/m)
  expect(ended.stdout).toContain(`"uniqueId":"${id}"`)
  expect(ended.stdout).toContain('"amount":12.50')
})

test('payout create --dry-run: no journal, token or ledger entry is written, and nothing is sent', async () => {
  const home = newHome()
  const { requests } = await standingSandbox(home)
  const ended = await paydesk(create({ 'dry-run': true }), { home })
  expect(ended.code).toBe(0)
  expect(requests).toEqual([])
  expect(await ledgerOf(home)).toEqual([])
  expect(readdirSync(home)).toEqual(['sandbox'])
})

test('payout create --dry-run: no confirmation is needed, and a broken rule is refused (2)', async () => {
  const home = newHome()
  expect(await paydesk(create({ 'dry-run': true, yes: null }), { home })).toMatchObject({ code: 0 })
  expect(await paydesk(create({ 'dry-run': true, amount: '0' }), { home })).toMatchObject({ code: 2, stdout: '' })
})

test('payout create --trace: requests and answers stand on stderr, with secret and token hidden', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const ended = await paydesk([...create({ profile: 'hand' }), '--trace'], { home })
  expect(ended.code).toBe(0)
  expect(ended.stderr).toContain(`> POST ${service.url}/api/auth`)
  expect(ended.stderr).toContain(`> POST ${service.url}/api/distributor`)
  expect(ended.stderr).toContain(handClient)
  expect(ended.stderr).toMatch(/< HTTP 200 after \d+ ms/)
  expect(ended.stderr).toContain('"amount":12.50')
  expect(ended.stderr).toMatch(/authorization: Bearer \[hidden\]/i)
  for (const secret of [handSecret, handToken]) expect(ended.stdout + ended.stderr).not.toContain(secret)
  expect(service.creates[0]?.headers.authorization, 'what is sent is not hidden').toBe(`Bearer ${handToken}`)
})

test('payout create --trace --json: stdout holds the document alone', async () => {
  const home = newHome()
  const ended = await paydesk([...create(), '--trace', '--json'], { home })
  expect(ended.json).toMatchObject({ outcome: 'accepted' })
  for (const secret of await secretsOf(home)) expect(ended.stderr).not.toContain(secret)
})

const authCount = (requests: readonly string[]) => requests.filter((line) => line === 'POST /api/auth').length

test('payout create: the access token is fetched once and reused from a file of mode 0600', async () => {
  const home = newHome()
  const { requests } = await standingSandbox(home)
  for (const amount of ['1', '2', '3']) expect(await paydesk(create({ amount }), { home })).toMatchObject({ code: 0 })
  expect(authCount(requests)).toBe(1)
  expect(requests.filter((line) => line === 'POST /api/distributor')).toHaveLength(3)
  const [file, ...others] = filesBelow(join(home, 'tokens'))
  expect(others).toEqual([])
  expect(statSync(file ?? '').mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'tokens')).mode & 0o777).toBe(0o700)
})

test('payout balance: the access token of another profile is not used', async () => {
  const home = newHome()
  const { requests } = await standingSandbox(home)
  await paydesk(['payout', 'balance', '-p', 'sandbox', '--currency', 'GEL'], { home })
  await paydesk(['payout', 'balance', '-p', 'sandbox-receiver', '--currency', 'GEL'], { home })
  expect(authCount(requests)).toBe(2)
})

test('payout create: the access token is fetched again when its time is over', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const clock = hurriedClock()
  const auths = () => service.seen.filter(({ path }) => path === '/api/auth').length
  await paydesk(create({ profile: 'hand', amount: '1' }), { home, clock })
  clock.skip(1700_000)
  await paydesk(create({ profile: 'hand', amount: '2' }), { home, clock })
  expect(auths()).toBe(1)
  clock.skip(60_000)
  await paydesk(create({ profile: 'hand', amount: '3' }), { home, clock })
  expect(auths()).toBe(2)
})

test('payout create: a forgotten access token is replaced by one sign-in, and the payout is made once', async () => {
  const home = newHome()
  expect(await paydesk(create({ amount: '1' }), { home })).toMatchObject({ code: 0 })
  await addFault(home, { at: 'before', kind: '401' })
  const { requests } = await standingSandbox(home)
  await succeeds(paydesk([...create({ amount: '2' }), '--json'], { home }))
  expect(requests).toEqual(['POST /api/distributor', 'POST /api/auth', 'POST /api/distributor'])
  expect(await ledgerOf(home)).toHaveLength(2)
})

test('payout create: a fresh access token that is refused again is 4 after one more sign-in', async () => {
  const home = newHome()
  const { requests } = await standingSandbox(home)
  await addFault(home, { at: 'before', kind: '401', times: 99 })
  const ended = await paydesk([...create(), '--json'], { home, clock: hurriedClock(), random: impatient })
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'credentials', service: { http: 401, statusCode: 5021 }, moneyMoved: 'no' })
  expect(requests.map((line) => line.split('/').at(-1))).toEqual(['auth', 'distributor', 'auth', 'distributor'])
  expect(await ledgerOf(home)).toEqual([])
})

test('payout create: access token and secret stand in no file but their own', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  await paydesk(create({ profile: 'hand' }), { home })
  for (const file of filesBelow(home)) {
    const text = readFileSync(file, 'latin1')
    const kept = file.startsWith(join(home, 'tokens')) ? [] : [handToken]
    const secret = file.endsWith('hand.secret') ? [] : [handSecret]
    for (const hidden of [...kept, ...secret]) expect(text.includes(hidden), file).toBe(false)
  }
})
