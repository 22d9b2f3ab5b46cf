import { beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/lib/contract/operations.ts'
import { impatient, stillClock } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { isCommand, newHome, paydesk, succeeds } from '../kit/program.ts'
import { addHandProfile, addSealedProfile, handIdentifier, handToken, json, serviceByHand } from '../kit/service.ts'

const home = newHome()
const shop = '5a9db0c0-0301-4a11-8c11-000000000301'
const api = (...argv: readonly string[]) => paydesk(['api', ...argv], { home })
let made: { readonly transactionId: string; readonly integratorOrderId: string }

beforeAll(async () => {
  const payout = await paydesk([...create(), '--json'], { home })
  const order = await paydesk(`order create -p sandbox --amount 30 --receiver-id ${shop} --yes --json`.split(' '), {
    home,
  })
  made = { transactionId: String(payout.json.transactionId), integratorOrderId: String(order.json.integratorOrderId) }
})

test("api: a GET path of payouts is sent with the profile's access token, and the answer is shown", async () => {
  const path = `/api/distributor/details?transaction_id=${made.transactionId}`
  const ended = await succeeds(api('get', path, '-p', 'sandbox', '--json'))
  expect(ended.json).toMatchObject({ method: 'GET', path, part: 'payouts', profile: 'sandbox', warnings: [] })
  expect(ended.json.answer).toMatchObject({ amount: 12.5, currency: 'GEL' })
  const told = await api('GET', path, '-p', 'sandbox')
  expect(JSON.parse(told.stdout)).toMatchObject({ currency: 'GEL', toIban: 'GE29NB0000000101904917' })
})

test('api: a path that paydesk does not know is sent exactly as typed, and any JSON answer is shown', async () => {
  const [own, list] = [newHome(), [1, { two: 'ორი' }]]
  const service = await serviceByHand(({ path }) => (path.startsWith('/api/v9') ? json(list) : undefined))
  await addHandProfile(own, service.url)
  const path = '/api/v9/reports?from=2026-11-01&from=2026-11-02&q=a%2Fb+c'
  const ended = await succeeds(paydesk(['api', 'GET', path, '-p', 'hand', '--json'], { home: own }))
  expect(ended.json.answer).toEqual(list)
  const [seen] = service.seen.filter(({ path }) => path.startsWith('/api/v9'))
  expect(`${seen?.path}${seen?.query}`).toBe(path)
  expect(seen?.headers.authorization).toBe(`Bearer ${handToken}`)
})

test('api: a service error ends with the exit code of its code (5042: 5), and an answer that is a page with 9', async () => {
  const own = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/page'
      ? { body: '<html>' }
      : path === '/away'
        ? json({ message: 'gone', statusCode: 5042 }, 400)
        : undefined,
  )
  await addHandProfile(own, service.url)
  const around = { home: own, clock: stillClock(), random: impatient }
  const asked = (path: string) => paydesk(['api', 'GET', path, '-p', 'hand', '--json'], around)
  expect(await asked('/away')).toMatchObject({ code: 5 })
  expect(await asked('/page')).toMatchObject({ code: 9 })
})

test("api: a path of orders is sealed with the profile's identifier, and its answer is opened", async () => {
  const path = `/api/integrator/order/status?integratorOrderId=${made.integratorOrderId}`
  const ended = await succeeds(api('GET', path, '-p', 'sandbox', '--json', '--trace'))
  expect(ended.json).toMatchObject({ part: 'orders', answer: { integratorOrderId: made.integratorOrderId } })
  expect(ended.log).toContain('sealed in it:')
})

test("api --part wallet: a path that paydesk does not know is sealed with the wallet's identifier, and its refusal is shown", async () => {
  const own = newHome()
  const service = await serviceByHand(() => json({ message: 'gone', statusCode: 6045, exceptionGroup: 5 }, 400))
  await addSealedProfile(own, 'own', service.url)
  const unknown = await paydesk(
    ['api', 'GET', '/api/v1/third-party/order/other?uniqueId=x', '-p', 'own', '--part', 'wallet', '--json'],
    { home: own },
  )
  expect(unknown.code, unknown.stderr).toBe(6)
  expect(unknown.error.service).toMatchObject({ statusCode: 6045 })
  const query = new URLSearchParams(service.seen[0]?.query)
  expect([service.seen.length, query.get('identifier'), query.has('uniqueId')]).toEqual([1, handIdentifier, false])
})

test('api: every operation that is no GET is refused (2) with the command that does it, and nothing is sent', async () => {
  const own = newHome()
  const service = await serviceByHand()
  await addHandProfile(own, service.url)
  const others = operations.filter(({ method }) => method !== 'GET')
  expect(others.length).toBeGreaterThan(10)
  for (const { method, path, name } of others) {
    const ended = await paydesk(['api', method, path, '-p', 'hand', '--json'], { home: own })
    expect(ended.code, name).toBe(2)
    const [hint = ''] = ended.error.hints as string[]
    const command = name === 'auth.token' ? 'token' : name.replace('.', ' ')
    expect(hint).toContain(`paydesk ${command} --help`)
    expect(isCommand(command.split(' ')), command).toBe(true)
  }
  expect(service.seen).toEqual([])
})

test.each([
  ['POST', '/api/distributor/other'],
  ['DELETE', '/x'],
  ['HEAD', '/x'],
  ['get', 'https://elsewhere.example/x'],
  ['GET', '//elsewhere.example/x'],
  ['GET', '/a/../../x'],
  ['GET', 'x'],
  ['GET', '/a b'],
  ['GET', '/a#b'],
])('api: %s %s is refused (2), and nothing is sent', async (method, path) => {
  const own = newHome()
  const service = await serviceByHand()
  await addHandProfile(own, service.url)
  expect((await paydesk(['api', method, path, '-p', 'hand'], { home: own })).code).toBe(2)
  expect(service.seen).toEqual([])
})
