import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hurriedClock, impatient } from '../../kit/hurried.ts'
import { newHome, paydesk } from '../../kit/paydesk.ts'
import { flags } from '../../kit/payment.ts'
import { addHandProfile, handToken, json, serviceByHand } from '../../kit/service-by-hand.ts'
import { addFault, ledgerOf, secretsOf, standingSandbox } from '../../kit/world.ts'

const sandboxClient = '5a9db0c0-0001-4a11-8c11-000000000001'

/** A profile of one's own at a sandbox that stands; `secret` is what its file holds. */
async function standing(secret?: string) {
  const home = newHome()
  const { url, requests } = await standingSandbox(home)
  const file = join(home, 'own.secret')
  writeFileSync(file, secret ?? String((await secretsOf(home))[0]), { mode: 0o600 })
  const given = {
    'base-url': url,
    environment: 'test',
    'client-id': sandboxClient,
    'client-secret-file': file,
  }
  expect(await paydesk(['profile', 'add', 'own', ...flags(given)], { home })).toMatchObject({ code: 0 })
  const check = (...more: string[]) => paydesk(['profile', 'check', '-p', 'own', ...more], { home })
  return { home, url, file, check, requests }
}

/** An address of this machine at which nobody listens. */
async function deafAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe('a profile that works', () => {
  test('shows who it is, where, and every balance with its digits', async () => {
    const home = newHome()
    const ended = await paydesk(['profile', 'check', '-p', 'sandbox', '--json'], { home })
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(ended.json).toEqual({
      profile: 'sandbox',
      environment: 'sandbox',
      address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      clientId: sandboxClient,
      balances: [
        { currency: 'GEL', amount: 1_000_000, note: null },
        { currency: 'USD', amount: 250_000, note: null },
        { currency: 'EUR', amount: null, note: 'no account' },
      ],
    })
    expect(ended.stdout).toContain('"amount":1000000.00')
  })

  test('says so to a person', async () => {
    const ended = await paydesk(['profile', 'check', '-p', 'sandbox-receiver'], { home: newHome() })
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stdout).toContain('Profile sandbox-receiver works')
    expect(ended.stdout).toMatch(/^EUR +75000\.00$/m)
    expect(ended.stderr).toContain('sandbox: no real money')
  })

  test('signs in every time, and moves nothing', async () => {
    const { home, check, requests } = await standing()
    expect(await check()).toMatchObject({ code: 0 })
    expect(await check()).toMatchObject({ code: 0 })
    expect(requests.filter((line) => line === 'POST /api/auth')).toHaveLength(2)
    expect(requests).not.toContain('POST /api/distributor')
    expect(await ledgerOf(home)).toEqual([])
  })

  test('is said with neither secret nor token', async () => {
    const { home, check } = await standing()
    for (const form of [[], ['--json'], ['--trace']]) {
      const { stdout, stderr } = await check(...form)
      for (const secret of await secretsOf(home)) expect(stdout + stderr).not.toContain(secret)
    }
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor/balance/check' ? json({ value: { amount: 1, currency: 'GEL' } }) : undefined,
    )
    await addHandProfile(home, service.url)
    const traced = await paydesk(['profile', 'check', '-p', 'hand', '--trace'], { home })
    expect(traced.code, traced.stderr).toBe(0)
    expect(traced.stdout + traced.stderr).not.toContain(handToken)
  })
})

describe('a profile that does not', () => {
  test('has a wrong secret: 4, and the secret is not repeated', async () => {
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

  test('has a wrong secret behind a token that is still good: 4', async () => {
    const { home, file, check } = await standing()
    expect(await check()).toMatchObject({ code: 0 })
    writeFileSync(file, 'a-secret-of-yesterday')
    const balance = await paydesk(['payout', 'balance', '-p', 'own'], { home })
    expect(balance.code, 'the token that was kept still opens the door').toBe(0)
    expect(await check()).toMatchObject({ code: 4, stdout: '' })
  })

  test('after a check that failed no kept token is left to use', async () => {
    const { home, file, check } = await standing()
    expect(await check()).toMatchObject({ code: 0 })
    writeFileSync(file, 'a-secret-of-yesterday')
    await check()
    expect(await paydesk(['payout', 'balance', '-p', 'own'], { home })).toMatchObject({ code: 4 })
  })

  test('has an unknown client: 4', async () => {
    const { home, url, file } = await standing()
    const given = {
      'base-url': url,
      environment: 'test',
      'client-id': '11111111-2222-4333-8444-555555555555',
      'client-secret-file': file,
    }
    await paydesk(['profile', 'add', 'stranger', ...flags(given)], { home })
    const ended = await paydesk(['profile', 'check', '-p', 'stranger', '--json'], { home })
    expect(ended).toMatchObject({ code: 4, stdout: '' })
    expect(ended.error).toMatchObject({ service: { statusCode: 5003 } })
  })

  test('has an address where nobody listens: 11, safe to run again', async () => {
    const home = newHome()
    await addHandProfile(home, await deafAddress())
    const ended = await paydesk(['profile', 'check', '-p', 'hand', '--json'], {
      home,
      clock: hurriedClock(),
      random: impatient,
    })
    expect(ended).toMatchObject({ code: 11, stdout: '' })
    expect(ended.error).toMatchObject({ name: 'unsent', moneyMoved: 'no', retry: 'same-id' })
    expect(ended.error.message).toContain('ECONNREFUSED')
  })

  test('has an address that redirects: 4, and nobody follows', async () => {
    const home = newHome()
    const other = await serviceByHand()
    const service = await serviceByHand(() => ({
      status: 308,
      headers: { location: `${other.url}/api/auth` },
      body: '',
    }))
    await addHandProfile(home, service.url)
    const ended = await paydesk(['profile', 'check', '-p', 'hand', '--json'], { home })
    expect(ended).toMatchObject({ code: 4, stdout: '' })
    expect(ended.error.message).toContain(other.url)
    expect(other.seen).toEqual([])
  })

  test('signs in but cannot read the balances: 9, and asking moved nothing', async () => {
    const home = newHome()
    await addFault(home, { op: 'payout.balance', at: 'before', kind: 'html502', times: 99 })
    const ended = await paydesk(['profile', 'check', '-p', 'sandbox', '--json'], {
      home,
      clock: hurriedClock(),
      random: impatient,
    })
    expect(ended).toMatchObject({ code: 9, stdout: '' })
    expect(ended.error).toMatchObject({ operation: 'payout.balance', moneyMoved: 'no' })
  })

  test('is not there, or was not named and nobody can be asked: 4', async () => {
    const home = newHome()
    expect(await paydesk(['profile', 'check', '-p', 'nobody'], { home })).toMatchObject({ code: 4, stdout: '' })
    expect(await paydesk(['profile', 'check'], { home })).toMatchObject({ code: 4, stdout: '' })
  })
})
