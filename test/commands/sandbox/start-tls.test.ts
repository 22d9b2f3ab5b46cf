import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { expect, test, vi } from 'vitest'
import { create } from '../../kit/payment.ts'
import { paydesk } from '../../kit/program.ts'
import { started, startedHere } from '../../kit/sandbox/stand.ts'
import { done, order, place } from '../../kit/world.ts'

// Processes of their own, and new RSA keys.
vi.setConfig({ testTimeout: 60_000 })

const run = promisify(execFile)

/** Trusts one authority and nothing else, as a client of the test does. */
function trusting(authority: string, servername?: string) {
  const ca = readFileSync(authority, 'utf8')
  return new Agent({ connect: { ca, ...(servername === undefined ? {} : { servername }) } })
}

test('sandbox start --tls: clients that trust its authority, and no others, reach it under every allowed name', async () => {
  const around = place()
  const { ready, end } = await startedHere(around.home, '--tls', '--allow-host', 'pay.shop.example')
  const authority = String(ready.authority)
  expect(ready.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect(authority).toBe(join(around.home, 'sandbox', 'authority.pem'))
  expect(statSync(authority).mode & 0o777).toBe(0o600)
  const alive = `${ready.url}/_sandbox/alive`
  for (const name of ['127.0.0.1', 'localhost']) {
    const at = alive.replace('127.0.0.1', name)
    expect((await request(at, { dispatcher: trusting(authority) })).statusCode, name).toBe(200)
    await expect(request(at), name).rejects.toThrow(/certificate/)
  }
  const headers = { host: 'pay.shop.example' }
  const tunnelled = await request(alive, { headers, dispatcher: trusting(authority, 'pay.shop.example') })
  expect(tunnelled.statusCode).toBe(200)
  const peer = connect({ port: Number(new URL(ready.url).port), host: '127.0.0.1', ca: readFileSync(authority) })
  await once(peer, 'secureConnect')
  expect(peer.getPeerCertificate().subjectaltname).toContain('IP Address:0:0:0:0:0:0:0:1')
  peer.destroy()
  const elsewhere = request(alive, { dispatcher: trusting(authority, 'other.example') })
  await expect(elsewhere).rejects.toThrow(/altnames|does not match/i)
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority }
  const script = `fetch(${JSON.stringify(alive)}).then((answer) => console.log(answer.status))`
  expect((await run(process.execPath, ['-e', script], { env })).stdout.trim()).toBe('200')

  expect((await done(create(), around)).json.transactionId).toBe('100001')
  const { urlForQR } = (await done(order(), around)).json
  expect(urlForQR).toMatch(new RegExp(`^${ready.url}/checkout/`))
  expect((await request(String(urlForQR), { dispatcher: trusting(authority) })).statusCode).toBe(200)
  const exported = await paydesk(['sandbox', 'world', '--env', 'sandbox', '--json'], around)
  expect(exported.json.variables).toMatchObject({ SANDBOX_BASE_URL: ready.url, SANDBOX_CA_FILE: authority })
  await end()
})

test('sandbox start --tls: each start has a new authority, and no private key is left on the disk', async () => {
  const { home } = place()
  const first = await started(home, '--tls')
  const authority = String(first.ready.authority)
  const before = readFileSync(authority, 'utf8')
  await first.end('SIGTERM')
  const next = await started(home, '--tls')
  const after = readFileSync(authority, 'utf8')
  expect(after).not.toBe(before)
  expect((await request(`${next.ready.url}/_sandbox/alive`, { dispatcher: trusting(authority) })).statusCode).toBe(200)
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  expect(files.map(({ name }) => name)).toContain('authority.pem')
  for (const { parentPath, name } of files) {
    expect(readFileSync(join(parentPath, name), 'latin1'), name).not.toContain('PRIVATE KEY')
  }
  await next.end('SIGTERM')
})

test('sandbox start --tls: faults strike, and the console takes orders from its own pages only', async () => {
  const around = place()
  const { ready, end } = await startedHere(around.home, '--tls')
  const dispatcher = trusting(String(ready.authority))
  await done(['sandbox', 'fault', 'add', '--op', 'auth.token', '--at', 'before', '--kind', 'reset'], around)
  const signIn = () => request(`${ready.url}/api/auth`, { dispatcher, method: 'POST', body: '{}' })
  await expect(signIn()).rejects.toThrow(/closed|reset|hang up/i)
  expect((await signIn()).statusCode).toBe(400)

  const entered = await request(ready.dashboard, { dispatcher })
  expect(entered.statusCode).toBe(303)
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const advance = (origin: string) =>
    request(`${ready.url}/_sandbox/clock/advance`, {
      ...{ dispatcher, method: 'POST', body: 'by=1h' },
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
    })
  expect((await advance('https://shop.example')).statusCode).toBe(403)
  expect((await advance(ready.url)).statusCode).toBe(200)
  await end()
})
