import { chmodSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { listed, listening, payment, post } from '../../kit/callback.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { newScene } from '../../kit/envelope.ts'
import { paydesk } from '../../kit/program.ts'

const secret = `whsec_${Buffer.from('a secret of callbacks').toString('base64')}`
const at = new Date('2026-11-20T09:00:00Z')
const body = JSON.stringify(payment)

function signed(text = body) {
  const timestamp = String(at.getTime() / 1000)
  return {
    'webhook-id': 'm1',
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(secret).sign('m1', at, text),
  }
}

test('callback verify: a stored callback is checked at the time it was received; a wrong signature is 5, an unknown id 6', async () => {
  const { home, put } = newScene()
  const { url, stop } = await listening({ home, clock: hurriedClock(at.getTime() + 60_000) })
  await post(url, body, signed())
  await post(url, body, signed(`${body} `))
  await stop()
  const [wrong, right] = await listed(home)
  const file = put('hook.secret', secret)
  const verify = (id: unknown, ...more: readonly string[]) =>
    paydesk(['callback', 'verify', String(id), '--secret-file', file, ...more], { home })
  expect((await verify(right?.callbackId, '--json')).json).toMatchObject({
    callbackId: right?.callbackId,
    signature: 'valid',
    secretFile: file,
  })
  expect((await verify(right?.callbackId)).stdout).toContain('The signature is valid.')
  expect(await verify(wrong?.callbackId)).toMatchObject({ code: 5, stdout: '' })
  expect(await verify('cb-nothing')).toMatchObject({ code: 6 })
})

test("callback verify --file: headers are checked with the profile's secret; too old or from the future is 5", async () => {
  const { home, put } = newScene()
  const [file, text] = [put('hook.secret', secret), put('body.json', body)]
  const add = ['profile', 'add', 'acme', '--base-url', 'https://pay.example.com', '--environment', 'test']
  await paydesk([...add, '--callback-secret-file', file], { home })
  const headers = Object.entries(signed()).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const argv = ['callback', 'verify', '--file', text, ...headers, '-p', 'acme']
  const right = await paydesk([...argv, '--at', '2026-11-20T09:01'], { home })
  expect(right, right.stderr).toMatchObject({ code: 0 })
  const late = await paydesk([...argv, '--at', '2026-11-20T10:00'], { home })
  expect(late).toMatchObject({ code: 5, stderr: expect.stringContaining('3600 s before') })
  expect(late.stderr).not.toContain(secret)
  const early = await paydesk(argv, { home, clock: hurriedClock(at.getTime() - 3_600_000) })
  expect(early).toMatchObject({ code: 5, stderr: expect.stringContaining('after it was received') })
})

test.each([
  [[], 2],
  [['cb-1', '--file', 'x'], 2],
  [['cb-1'], 4],
  [['cb-1', '--secret-file', '/nowhere'], 4],
])('callback verify %j: refused (%i)', async (flags, code) => {
  const { home } = newScene()
  expect(await paydesk(['callback', 'verify', ...flags], { home })).toMatchObject({ code, stdout: '' })
})

test('callback verify --file: a body without a signature is 5, and a malformed --header 2', async () => {
  const { home, put } = newScene()
  const argv = ['callback', 'verify', '--file', put('b', body), '--secret-file', put('s', secret)]
  expect(await paydesk(argv, { home })).toMatchObject({ code: 5, stderr: expect.stringContaining('not signed') })
  expect(await paydesk([...argv, '--header', 'nothing'], { home })).toMatchObject({ code: 2 })
})

test('callback verify: a secret that others can read is warned about in the document, in the error and on stderr', async () => {
  const { home, put } = newScene()
  const [file, text] = [put('hook.secret', secret), put('body.json', body)]
  chmodSync(file, 0o644)
  const said = `others can read ${file}: run chmod 600`
  const headers = Object.entries(signed()).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const argv = ['callback', 'verify', '--file', text, ...headers, '--secret-file', file]
  const right = await paydesk([...argv, '--at', '2026-11-20T09:01', '--json'], { home })
  expect(right).toMatchObject({ code: 0, stderr: '', json: { warnings: [said] } })
  const late = await paydesk([...argv, '--at', '2026-11-20T10:00', '--json'], { home })
  expect(late).toMatchObject({ code: 5, stdout: '', error: { warnings: [said] } })
  expect((await paydesk([...argv, '--at', '2026-11-20T09:01'], { home })).stderr).toContain(said)
})
