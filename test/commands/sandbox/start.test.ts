import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { started, startedHere } from '../../kit/sandbox/stand.ts'
import { until } from '../../kit/tools.ts'

// A process of its own in some.
vi.setConfig({ testTimeout: 60_000 })

const addressOf = (home: string) => join(home, 'sandbox', 'server.json')

for (const [signal, exit] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`sandbox start: tells once that it is ready, and ${signal} ends it cleanly (${exit})`, {
    timeout: 30_000,
  }, async () => {
    const home = newHome()
    const { ready, end, pid } = await started(home)
    expect(ready).toEqual({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pid,
      dashboard: expect.stringMatching(`^${ready.url}/_sandbox\\?token=[\\w-]{32}$`),
      authority: null,
    })
    expect((await fetch(`${ready.url}/api/distributor/balance/check?currency=GEL`)).status).toBe(401)
    expect(existsSync(addressOf(home))).toBe(true)
    const { code, stdout, stderr } = await end(signal)
    expect(code).toBe(exit)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(stderr).error.moneyMoved).toBe('no')
    expect(existsSync(addressOf(home))).toBe(false)
  })
}

test('sandbox start: while one runs a second is refused with the address of the first (12), and commands use the first', async () => {
  const home = newHome()
  const { ready, end } = await startedHere(home)
  const second = await paydesk(['sandbox', 'start', '--port', '0', '--json'], { home })
  expect(second.code).toBe(12)
  expect(second.stdout).toBe('')
  expect(second.error.message).toContain(ready.url)
  await paydesk(['sandbox', 'fault', 'add', '--op', 'auth.token', '--at', 'before', '--kind', 'json500'], { home })
  expect((await fetch(`${ready.url}/api/auth`, { method: 'POST', body: '{}' })).status).toBe(500)
  expect((await fetch(`${ready.url}/api/auth`, { method: 'POST', body: '{}' })).status).toBe(400)
  await end()
})

test('sandbox start: after a kill the next one starts at once', async () => {
  const home = newHome()
  const first = await started(home)
  await first.end('SIGKILL')
  expect(existsSync(addressOf(home))).toBe(true)
  const next = await startedHere(home)
  expect(JSON.parse(readFileSync(addressOf(home), 'utf8'))).toEqual({ url: next.ready.url, pid: process.pid })
  await next.end()
})

test('sandbox start: --shape and --base-path are obeyed', async () => {
  const { ready, end } = await startedHere(newHome(), '--shape', 'recorded', '--base-path', '/x')
  const answer = await fetch(`${ready.url}/x/api/distributor/details`)
  expect(await answer.json()).toMatchObject({ application_name: null, message: 'Authentication failed' })
  await end()
})

test('sandbox start: a person is told its address and each request, until ^C (130)', async () => {
  const home = newHome()
  let screen = ''
  let stop: (signal: 'SIGINT') => void = () => undefined
  const ended = paydesk(['sandbox', 'start', '--port', '0'], {
    home,
    signals: (send) => {
      stop = send
    },
    dialogue: (drawn) => {
      screen = drawn
    },
  })
  await until('it has left its address', () => existsSync(addressOf(home)))
  const { url } = JSON.parse(readFileSync(addressOf(home), 'utf8')) as { url: string }
  await fetch(`${url}/api/distributor/details?transaction_id=1`)
  await until('the request is told', () => screen.includes('payout.get'))
  stop('SIGINT')
  const { code, stdout, stderr } = await ended
  expect(stdout).toContain(url)
  expect(stderr).toContain('GET /api/distributor/details  payout.get  401')
  expect(code).toBe(130)
})

test('sandbox start: --first-transaction-id numbers transactions from there, and a number is never used twice (2)', async () => {
  const home = newHome()
  const { end } = await startedHere(home, '--first-transaction-id', '77')
  const first = await paydesk([...create(), '--json'], { home })
  expect(first.json.transactionId).toBe('77')
  await end()
  const again = await paydesk(['sandbox', 'start', '--port', '0', '--first-transaction-id', '77'], { home })
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('transactions of this world are numbered up to 77 already')
  expect(again.stderr).toContain('paydesk sandbox reset --first-transaction-id 77')
  const { end: stop } = await startedHere(home, '--first-transaction-id', '78')
  expect((await paydesk([...create(), '--json'], { home })).json.transactionId).toBe('78')
  await stop()
})

test('sandbox start: --strict, --provider and --refunded-by change the world and are kept', async () => {
  const home = newHome()
  const { ready, end } = await startedHere(
    home,
    '--strict',
    '--provider',
    'directLinkProvider=BOG,LB',
    '--refunded-by',
    'BANK',
  )
  const signIn = () => fetch(`${ready.url}/api/auth`, { method: 'POST', body: '{"client_id":"x","scope":"all"}' })
  expect((await signIn()).status).toBe(400)
  await end()
  const { json } = await paydesk(['sandbox', 'world', '--json'], { home })
  expect(json.settings).toMatchObject({
    strict: true,
    providers: { directLinkProvider: ['BOG', 'LB'] },
    refundedBy: 'BANK',
  })
  const again = await startedHere(home, '--no-strict')
  expect((await paydesk(['sandbox', 'world', '--json'], { home })).json.settings).toMatchObject({ strict: false })
  await again.end()
})
