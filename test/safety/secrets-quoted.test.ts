/** A service that quotes secrets in its answers: none of them reaches a screen, a document, the journal or a file. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create, flags, journalOf } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program.ts'
import {
  addHandProfile,
  addSealedProfile,
  handIdentifier,
  handSecret,
  handToken,
  json,
  type SealedCall,
  sealedByHand,
  serviceByHand,
} from '../kit/service.ts'

const run = (argv: readonly string[], home: string) => paydesk(argv, { home, clock: hurriedClock(), random: impatient })

const token = '3f8a6c1e-9b2d-4e7f-8a51-c0d2e4f6a8b1'
const branch = '5a9db0c0-0301-4a11-8c11-000000000301'
const card = '7d1c2b3a-4f5e-4a6b-8c7d-9e0f1a2b3c4d'

/** Everything in which a service could repeat the token. */
const quotes = {
  urlForQR: `https://pay.example/?card=${token}&again=${encodeURIComponent(JSON.stringify({ card: token }))}`,
  note: `charged ${token.toUpperCase()} and ${token.replaceAll('-', '')}`,
  list: ['x', [token], { deep: { reference: token } }],
  [token]: 'a name',
  html: [...token].map((letter) => `&#${letter.codePointAt(0)};`).join(''),
  coded: Buffer.from(`{"card":"${token}"}`).toString('base64'),
  card_token: token,
  savedTokens: ['11111111-2222-4333-8444-999999999999'],
}

/** Forms of the token that must stand nowhere. */
const shapes = [
  token,
  token.toUpperCase(),
  token.replaceAll('-', ''),
  quotes.html,
  Buffer.from(token).toString('base64').slice(4, 40),
  quotes.coded,
  quotes.savedTokens[0] ?? '',
  encodeURIComponent(JSON.stringify(token)),
]

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

function inFiles(home: string): string {
  const ours = filesBelow(home).filter((file) => !file.endsWith('card.token') && !file.endsWith('.secret'))
  return ours.map((file) => readFileSync(file, 'latin1')).join('\n')
}

function shows(text: string): string[] {
  return shapes.filter((shape) => text.toLowerCase().includes(shape.toLowerCase()))
}

function answering({ name, request }: SealedCall) {
  if (name === 'card.get')
    return { value: { token, provider: 'BOG', cardMask: '4', expirationDate: '1', cardBrand: 'V' } }
  const { integratorOrderId } = request
  return { value: { integratorOrderId, status: name === 'order.status' ? 'SUCCESS' : 'PROCESSING', ...quotes } }
}

async function place() {
  const home = newHome()
  const { url } = await sealedByHand(answering, 'oaep-sha256')
  await addSealedProfile(home, 'own', url, { 'integrator-id': handIdentifier, 'wallet-identifier': null })
  const file = join(home, 'card.token')
  writeFileSync(file, token, { mode: 0o600 })
  return { home, file }
}

const order = (more: Record<string, string | true>) => [
  ...['order', 'create', '-p', 'own'],
  ...flags({ amount: '30', 'receiver-id': branch, key: 'k-1', yes: true, trace: true, ...more }),
]

test.each([
  ['JSON', { json: true }],
  ['a table', {}],
  ['CSV', { output: 'csv' }],
  ['a query', { query: '[note, urlForQR]' }],
] as const)('order create --card-token-file, the answer quotes it, result as %s: hidden', async (_form, more) => {
  const { home, file } = await place()
  const ended = await run(order({ 'card-token-file': file, wait: true, ...more }), home)
  expect(ended.code).toBe(0)
  expect(shows(ended.stdout + ended.stderr)).toEqual([])
  expect(ended.stdout).toContain('[hidden]')
  const shown = await run(['journal', 'show', 'k-1', '--json'], home)
  expect(shows(shown.stdout)).toEqual([])
  expect(shown.stdout).toContain('charged [hidden] and [hidden]')
  expect(shows(inFiles(home))).toEqual([])
})

test('order create --card-from-order and order status, the answers quote the token: hidden everywhere', async () => {
  const { home } = await place()
  const ended = await run(order({ 'card-from-order': card, json: true }), home)
  expect(ended.code).toBe(0)
  const status = await run(['order', 'status', 'k-1', '-p', 'own', '--json', '--trace'], home)
  expect(status.code).toBe(0)
  expect(shows(ended.stdout + ended.stderr + status.stdout + status.stderr + inFiles(home))).toEqual([])
})

test('card get: shows the token on stdout, and hides it in the trace', async () => {
  const { home } = await place()
  const ended = await run(['card', 'get', card, '-p', 'own', '--json', '--trace'], home)
  expect(JSON.parse(ended.stdout)).toMatchObject({ token })
  expect(shows(ended.stderr)).toEqual([])
})

const access = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LXRva2Vu.XyZ-1_2'

test.each<[string, ReturnType<typeof json>]>([
  ['another name', json({ value: { accessToken: access, expires_in: 1800, token_type: 'Bearer' } })],
  ['a name of one word', json({ jwt: access })],
  ['a list', json({ value: [access, { inner: access }] })],
  ['a text', json(access)],
  [
    'a member that should hold something else',
    json({ expires_in: access, token_type: access, error: access, message: access }),
  ],
  ['a name', json({ [access]: 1 })],
  ['not JSON', { body: `<html>${access}</html>` }],
  [
    'headers',
    {
      headers: { 'set-cookie': `session=${access}`, 'x-auth-token': access, 'x-one': access, location: access },
      body: '{}',
    },
  ],
  ['a refusal', json({ message: `no: ${access}`, statusCode: 5021, [access]: access }, 401)],
  ['a redirect', { status: 307, headers: { location: `https://other.example/in?token=${access}` }, body: '' }],
])('payout balance --trace, the sign-in answers with a token in %s: the token is not shown', async (_where, reply) => {
  const home = newHome()
  const service = await serviceByHand(({ path }) => (path === '/api/auth' ? reply : undefined))
  await addHandProfile(home, service.url)
  const ended = await run(['payout', 'balance', '-p', 'hand', '--trace'], home)
  expect(ended.code).not.toBe(0)
  expect(ended.stderr).toContain('/api/auth')
  const seen = ended.stdout + ended.stderr
  expect(seen).not.toContain(access)
  expect(seen).not.toContain(access.slice(0, 20))
  expect(seen).not.toContain(handSecret)
})

test('payout balance --trace, the sign-in is refused and quotes the client secret, escaped or encoded: hidden', async () => {
  const home = newHome()
  const coded = Buffer.from(`id:${handSecret}`).toString('base64')
  const escaped = [...handSecret].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
  const body = `{"statusCode":5021,"message":"no ${escaped} ${coded} ${encodeURIComponent(handSecret)}"}`
  const service = await serviceByHand(({ path }) => (path === '/api/auth' ? { status: 401, body } : undefined))
  await addHandProfile(home, service.url)
  for (const more of [[], ['--json']]) {
    const ended = await run(['payout', 'balance', '-p', 'hand', '--trace', ...more], home)
    expect(ended.stderr).toContain('[hidden]')
    for (const shape of [handSecret, escaped, coded]) expect(ended.stderr).not.toContain(shape)
  }
})

test('payout balance, its refusal quotes the client secret: hidden, whether the run signed in or had a token', async () => {
  const quoting = { message: `no, for ${handSecret}`, statusCode: 5039 }
  const service = await serviceByHand(({ path }) => (path === '/api/auth' ? undefined : json(quoting, 400)))
  for (const more of [[], ['--json'], ['--trace']]) {
    const home = newHome()
    await addHandProfile(home, service.url)
    for (const when of ['with a sign-in', 'with the token of that']) {
      const ended = await run(['payout', 'balance', '-p', 'hand', '--currency', 'GEL', ...more], home)
      expect(ended.code, when).toBe(5)
      expect(ended.stderr).toContain('no, for')
      expect(ended.stdout + ended.stderr, when).not.toContain(handSecret)
    }
    expect(service.seen.filter(({ path }) => path === '/api/auth').length).toBeLessThanOrEqual(3)
  }
})

test('payout create, its refusal quotes the access token: hidden in words, as JSON, in the trace and in the journal', async () => {
  const home = newHome()
  const message = `who sent ${handToken} may not`
  const service = await serviceByHand(({ path }) =>
    path === '/api/distributor' ? json({ message, statusCode: 5033 }, 400) : undefined,
  )
  await addHandProfile(home, service.url)
  for (const form of [[], ['--json'], ['--trace']]) {
    const ended = await run([...create({ profile: 'hand' }), ...form], home)
    expect(ended.code).toBe(5)
    const [newest] = await journalOf({ home }, '--limit', '1')
    const shown = await run(['journal', 'show', '-p', 'hand', String(newest?.journalId), '--json'], home)
    const everything = ended.stdout + ended.stderr + shown.stdout + shown.stderr
    expect(everything).toContain('who sent')
    expect(everything).not.toContain(handToken)
    expect(everything).not.toContain(handSecret)
  }
})
