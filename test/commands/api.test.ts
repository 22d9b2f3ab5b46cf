import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../src/lib/contract/operations.ts'
import { typeIn } from '../kit/docs/command-lines.ts'
import { create } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, handToken, json, serviceByHand } from '../kit/service/service-by-hand.ts'

const home = newHome()
const shop = '5a9db0c0-0301-4a11-8c11-000000000301'
const api = (...argv: readonly string[]) => paydesk(['api', ...argv], { home })
let made: { readonly transactionId: string; readonly integratorOrderId: string }

beforeAll(async () => {
  const payout = await paydesk([...create(), '--json'], { home })
  const order = await paydesk(`order create -p sandbox --amount 30 --receiver-id ${shop} --yes --json`.split(' '), {
    home,
  })
  made = {
    transactionId: String(payout.json.transactionId),
    integratorOrderId: String(order.json.integratorOrderId),
  }
})

describe('a path of payouts', () => {
  test('is read with the token of the profile', async () => {
    const path = `/api/distributor/details?transaction_id=${made.transactionId}`
    const ended = await api('get', path, '-p', 'sandbox', '--json')
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ method: 'GET', path, part: 'payouts', profile: 'sandbox', warnings: [] })
    expect(ended.json.answer).toMatchObject({ amount: 12.5, currency: 'GEL' })
    const told = await api('GET', path, '-p', 'sandbox')
    expect(JSON.parse(told.stdout)).toMatchObject({ currency: 'GEL', toIban: 'GE29NB0000000101904917' })
  })

  test('is sent as it was typed, also where nobody knows it, and the answer is shown whatever it is', async () => {
    const [own, list] = [newHome(), [1, { two: 'ორი' }]]
    const service = await serviceByHand(({ path }) => (path.startsWith('/api/v9') ? json(list) : undefined))
    await addHandProfile(own, service.url)
    const path = '/api/v9/reports?from=2026-11-01&from=2026-11-02&q=a%2Fb+c'
    const ended = await paydesk(['api', 'GET', path, '-p', 'hand', '--json'], { home: own })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json.answer).toEqual(list)
    const [seen] = service.seen.filter(({ path }) => path.startsWith('/api/v9'))
    expect(`${seen?.path}${seen?.query}`).toBe(path)
    expect(seen?.headers.authorization).toBe(`Bearer ${handToken}`)
  })

  test('an error of the service is told with its code, and an answer that is none is 9', async () => {
    const own = newHome()
    const service = await serviceByHand(({ path }) =>
      path === '/page'
        ? { body: '<html>' }
        : path === '/away'
          ? json({ message: 'gone', statusCode: 5042 }, 400)
          : undefined,
    )
    await addHandProfile(own, service.url)
    const asked = (path: string) => paydesk(['api', 'GET', path, '-p', 'hand', '--json'], { home: own })
    expect(await asked('/away')).toMatchObject({ code: 5 })
    expect(await asked('/page')).toMatchObject({ code: 9 })
  })
})

describe('a path of orders or the wallet', () => {
  test('is sealed, with the identity of the profile, and its answer opened', async () => {
    const path = `/api/integrator/order/status?integratorOrderId=${made.integratorOrderId}`
    const ended = await api('GET', path, '-p', 'sandbox', '--json', '--trace')
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({ part: 'orders', answer: { integratorOrderId: made.integratorOrderId } })
    expect(ended.log).toContain('sealed in it:')
  })

  test('names its part where nobody knows the path', async () => {
    const unknown = await api('GET', '/api/v1/third-party/order/other?uniqueId=x', '-p', 'sandbox', '--part', 'wallet')
    expect(unknown.code).not.toBe(0)
    expect(unknown.stderr).not.toContain('unauthorised')
  })
})

describe('--curl, --har', () => {
  test.each(['payouts', 'orders'])('%s: the curl command holds no secret, and gets the same answer', async (part) => {
    const path =
      part === 'payouts'
        ? `/api/distributor/details?transaction_id=${made.transactionId}`
        : `/api/integrator/order/status?integratorOrderId=${made.integratorOrderId}`
    const ended = await api('GET', path, '-p', 'sandbox', '--curl', '--json')
    expect(ended.code, ended.stderr).toBe(0)
    const curl = String(ended.json.curl)
    expect(curl).toContain(part === 'payouts' ? 'paydesk token --header -p sandbox |' : 'paydesk envelope seal --as')
    expect(curl).not.toMatch(/bearer [\w-]{20}/i)
  })

  test('the archive has the exchange', async () => {
    const file = join(home, 'api.har')
    const ended = await api('GET', '/api/distributor/balance/check?currency=GEL', '-p', 'sandbox', '--har', file)
    expect(ended.code, ended.stderr).toBe(0)
    expect(existsSync(file)).toBe(true)
    const { log } = JSON.parse(readFileSync(file, 'utf8'))
    const urls = log.entries.map(({ request }: { request: { url: string } }) => request.url)
    expect(urls).toContainEqual(expect.stringContaining('/api/distributor/balance/check?currency=GEL'))
  })
})

describe('anything but a read', () => {
  const others = operations.filter(({ method }) => method !== 'GET')

  test.each(others.map(({ method, path, name }) => [method, path, name]))(
    '%s %s is refused with its command, and nothing is sent',
    async (method, path, name) => {
      const own = newHome()
      const service = await serviceByHand()
      await addHandProfile(own, service.url)
      const ended = await paydesk(['api', method, path, '-p', 'hand', '--json'], { home: own })
      expect(ended.code).toBe(2)
      const [hint = ''] = ended.error.hints as string[]
      const command = name === 'auth.token' ? 'token' : name.replace('.', ' ')
      expect(hint).toContain(`paydesk ${command} --help`)
      expect((await typeIn(home, home, `paydesk ${command} --help`)).code).toBe(0)
      expect(service.seen).toEqual([])
    },
  )

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
  ])('%s %s is refused', async (method, path) => {
    const own = newHome()
    const service = await serviceByHand()
    await addHandProfile(own, service.url)
    expect((await paydesk(['api', method, path, '-p', 'hand'], { home: own })).code).toBe(2)
    expect(service.seen).toEqual([])
  })
})
