/** A service that quotes secrets wherever it can: none of them reaches a screen, a document, the journal or its file. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flags } from '../kit/payment.ts'
import { everydayPaydesk } from '../kit/program/everyday.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { addSealedProfile, handIdentifier, type SealedCall, sealedByHand } from '../kit/service/sealed-by-hand.ts'
import { addHandProfile, handSecret, json, serviceByHand } from '../kit/service/service-by-hand.ts'

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

describe('a card token that an answer quotes is hidden', () => {
  test.each([
    ['JSON', { json: true }],
    ['a table', {}],
    ['CSV', { output: 'csv' }],
    ['a query', { query: '[note, urlForQR]' }],
  ] as const)('from a file, as %s', async (_form, more) => {
    const { home, file } = await place()
    const ended = await everydayPaydesk(order({ 'card-token-file': file, wait: true, ...more }), home)
    expect(ended.code).toBe(0)
    expect(shows(ended.stdout + ended.stderr)).toEqual([])
    expect(ended.stdout).toContain('[hidden]')
    const shown = await everydayPaydesk(['journal', 'show', 'k-1', '--json'], home)
    expect(shows(shown.stdout)).toEqual([])
    expect(shown.stdout).toContain('charged [hidden] and [hidden]')
    expect(shows(inFiles(home))).toEqual([])
  })

  test('read for --card-from-order, and in order status', async () => {
    const { home } = await place()
    const ended = await everydayPaydesk(order({ 'card-from-order': card, json: true }), home)
    expect(ended.code).toBe(0)
    const status = await everydayPaydesk(['order', 'status', 'k-1', '-p', 'own', '--json', '--trace'], home)
    expect(status.code).toBe(0)
    expect(shows(ended.stdout + ended.stderr + status.stdout + status.stderr + inFiles(home))).toEqual([])
  })

  test('in what an order says of itself, before it is sent and in the journal', async () => {
    const { home, file } = await place()
    const request = join(home, 'order.json')
    writeFileSync(request, JSON.stringify({ orderProperties: { DESCRIPTION: { value: `card ${token}` } } }))
    const given = { 'card-token-file': file, file: request, json: true } as const
    const dry = await everydayPaydesk(order({ ...given, 'dry-run': true }), home)
    const ended = await everydayPaydesk(order(given), home)
    writeFileSync(request, '{}')
    expect([dry.code, ended.code]).toEqual([0, 0])
    expect(shows(dry.stdout + dry.stderr + ended.stdout + ended.stderr + inFiles(home))).toEqual([])
  })

  test('card get alone shows it', async () => {
    const { home } = await place()
    const ended = await everydayPaydesk(['card', 'get', card, '-p', 'own', '--json', '--trace'], home)
    expect(JSON.parse(ended.stdout)).toMatchObject({ token })
    expect(shows(ended.stderr)).toEqual([])
  })
})

const access = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LXRva2Vu.XyZ-1_2'

describe('the answer of a sign-in is not traced', () => {
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
    ['no JSON', { body: `<html>${access}</html>` }],
    [
      'headers',
      {
        headers: { 'set-cookie': `session=${access}`, 'x-auth-token': access, 'x-one': access, location: access },
        body: '{}',
      },
    ],
    ['a refusal', json({ message: `no: ${access}`, statusCode: 5021, [access]: access }, 401)],
    ['a redirect', { status: 307, headers: { location: `https://other.example/in?token=${access}` }, body: '' }],
  ])('in %s', async (_where, reply) => {
    const home = newHome()
    const service = await serviceByHand(({ path }) => (path === '/api/auth' ? reply : undefined))
    await addHandProfile(home, service.url)
    const ended = await everydayPaydesk(['payout', 'balance', '-p', 'hand', '--trace', '--timeout', '1s'], home)
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toContain('/api/auth')
    const seen = ended.stdout + ended.stderr
    expect(seen).not.toContain(access)
    expect(seen).not.toContain(access.slice(0, 20))
    expect(seen).not.toContain(handSecret)
  })

  test('members known to be harmless are shown', async () => {
    const home = newHome()
    const words = { message: 'The client is not known', statusCode: 5021 }
    const service = await serviceByHand(({ path }) => (path === '/api/auth' ? json(words, 401) : undefined))
    await addHandProfile(home, service.url)
    const ended = await everydayPaydesk(['payout', 'balance', '-p', 'hand', '--trace'], home)
    expect(ended.stderr).toContain('{"message":"The client is not known","statusCode":5021}')
    expect(ended.stderr).toContain('content-type: application/json')
  })

  test('a secret that a refusal quotes, however written, is hidden', async () => {
    const home = newHome()
    const coded = Buffer.from(`id:${handSecret}`).toString('base64')
    const escaped = [...handSecret].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')
    const body = `{"statusCode":5021,"message":"no ${escaped} ${coded} ${encodeURIComponent(handSecret)}"}`
    const service = await serviceByHand(({ path }) => (path === '/api/auth' ? { status: 401, body } : undefined))
    await addHandProfile(home, service.url)
    for (const more of [[], ['--json']]) {
      const ended = await everydayPaydesk(['payout', 'balance', '-p', 'hand', '--trace', ...more], home)
      expect(ended.stderr).toContain('[hidden]')
      for (const shape of [handSecret, escaped, coded]) expect(ended.stderr).not.toContain(shape)
    }
  })

  test('a client secret that another answer quotes is hidden, whether the run signed in or had a token', async () => {
    const quoting = { message: `no, for ${handSecret}`, statusCode: 5039 }
    const service = await serviceByHand(({ path }) => (path === '/api/auth' ? undefined : json(quoting, 400)))
    for (const more of [[], ['--json'], ['--trace']]) {
      const home = newHome()
      await addHandProfile(home, service.url)
      for (const run of ['with a sign-in', 'with the token of that']) {
        const ended = await everydayPaydesk(['payout', 'balance', '-p', 'hand', '--currency', 'GEL', ...more], home)
        expect(ended.code, run).toBe(5)
        expect(ended.stderr).toContain('no, for')
        expect(ended.stdout + ended.stderr, run).not.toContain(handSecret)
      }
      expect(service.seen.filter(({ path }) => path === '/api/auth').length).toBeLessThanOrEqual(3)
    }
  })
})
