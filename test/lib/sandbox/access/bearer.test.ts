import { expect, test } from 'vitest'
import { Caller, callers, said, toIban } from '../../../kit/sandbox/callers.ts'
import { handClock, memorySandbox } from '../../../kit/sandbox/stand.ts'

async function visitor() {
  const sandbox = await memorySandbox()
  const { distributorClients } = await sandbox.world()
  const [client] = distributorClients
  if (!client) throw new Error('nobody there')
  return new Caller(sandbox, client, 'documented')
}

test('client id and secret are exchanged for a bearer token of half an hour', async () => {
  const { http, value } = await (await visitor()).signIn()
  expect(http).toBe(200)
  expect(Object.keys(value)).toEqual(['access_token', 'expires_in', 'token_type'])
  expect(String(value.expires_in)).toBe('1800')
  expect(value.token_type).toBe('Bearer')
})

test('a client id in capital letters is the same one: it is a UUID', async () => {
  const own = await visitor()
  const { http } = await own.signIn({ client_id: own.client.clientId.toUpperCase() })
  expect(http).toBe(200)
})

const refusals: [string, Record<string, unknown>, number][] = [
  ['a wrong secret', { client_secret: 'wrong' }, 5021],
  ['an empty secret', { client_secret: '' }, 5021],
  ['an unknown client', { client_id: '7b1e8a54-3c1f-4d0e-9a55-0f6c2d9e4b71' }, 5003],
  ['another grant', { grant_type: 'password' }, 5013],
  ['a grant that is no text', { grant_type: 1 }, 5013],
  ['no client id', { client_id: undefined }, 5039],
  ['no secret', { client_secret: null }, 5039],
  ['no grant', { grant_type: undefined }, 5039],
  ['a client id that is no text', { client_id: 12 }, 5039],
]

for (const [words, change, code] of refusals) {
  test(`a sign-in with ${words} is refused with HTTP 400 and ${code}`, async () => {
    const answer = await (await visitor()).signIn(change)
    expect([answer.http, answer.code]).toEqual([400, code])
    expect(Object.keys(answer.value)).toEqual(['message', 'statusCode'])
  })
}

for (const body of [null, '', '{', '[]', '"text"', '12', '{"client_id":"a","client_id":"b"}', '['.repeat(200_000)]) {
  test(`a sign-in whose body is ${JSON.stringify(body)?.slice(0, 20)} is not readable (5043)`, async () => {
    const { sandbox } = await visitor()
    const answer = said(await sandbox.answer({ method: 'POST', path: '/api/auth', query: [], headers: {}, body }))
    expect([answer.http, answer.code]).toEqual([400, 5043])
  })
}

test('a token ends by the clock of the sandbox, not before and not after', async () => {
  const clock = handClock()
  const { byIban } = await callers(await memorySandbox(clock))
  clock.forward(1_799_999)
  expect((await byIban.balanceIn('GEL')).http).toBe(200)
  clock.forward(1)
  const late = await byIban.balanceIn('GEL')
  expect([late.http, late.code]).toEqual([401, 5021])
})

test('a new token leaves the older ones valid', async () => {
  const { byIban } = await callers(await memorySandbox())
  await byIban.signIn()
  expect((await byIban.balanceIn('GEL')).http).toBe(200)
})

test('every path of payouts wants a token before anything else', async () => {
  const { byIban } = await callers(await memorySandbox())
  for (const token of [null, 'not-a-token', '']) {
    byIban.token = token
    const answers = [
      await byIban.create(toIban()),
      await byIban.create({}),
      await byIban.details('abc'),
      await byIban.balanceIn('GEL'),
    ]
    expect(answers.map(({ http, code }) => [http, code])).toEqual(answers.map(() => [401, 5021]))
    expect(answers.map(({ value }) => Object.keys(value))).toEqual(answers.map(() => ['message', 'statusCode']))
  }
})
