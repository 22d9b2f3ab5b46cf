import { expect, test } from 'vitest'
import { isLoopbackHost } from '../../../../src/lib/http/host-check.ts'
import { cookieFor, judgeVisit, type WindowVisit } from '../../../../src/lib/sandbox/console/console.ts'

const token = 'the-token'
const cookie = 'other=1; paydesk-window-4010=the-token'
const visit: WindowVisit = {
  method: 'GET',
  peer: '127.0.0.1',
  host: '127.0.0.1:4010',
  origin: undefined,
  cookie,
  token: undefined,
}
const judged = (change: Partial<WindowVisit>) => judgeVisit({ ...visit, ...change }, 4010, token)

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['[::1]', true],
  ['[::ffff:127.0.0.1]', true],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['192.168.1.7', false],
  ['0.0.0.0', false],
  ['', false],
])('%s is this machine: %s', (host, is) => {
  expect(isLoopbackHost(host)).toBe(is)
})

test.each([
  ['a connection from another machine', { peer: '192.168.1.7' }, 'own machine'],
  ['no connection any more', { peer: undefined }, 'own machine'],
  ['a name that leads here (DNS rebinding)', { host: 'evil.example:4010' }, '127.0.0.1 or localhost'],
  ['no name', { host: undefined }, '127.0.0.1 or localhost'],
  ['a name that is none', { host: '[' }, '127.0.0.1 or localhost'],
  ['no token', { cookie: undefined }, 'token included'],
  ['a wrong token', { cookie: undefined, token: 'another' }, 'token included'],
  ["another port's cookie", { cookie: 'paydesk-window-4011=the-token' }, 'token included'],
  ['a wrong cookie', { cookie: 'paydesk-window-4010=the-token2' }, 'token included'],
  ['an order with the token in the address only', { method: 'POST', cookie: undefined, token }, 'token included'],
  ['an order without an origin', { method: 'POST' }, 'own pages only'],
  ['an order from elsewhere', { method: 'POST', origin: 'https://evil.example' }, 'own pages only'],
  ['an order from another port', { method: 'POST', origin: 'http://127.0.0.1:4011' }, 'own pages only'],
  ['an order of a page without an origin', { method: 'POST', origin: 'null' }, 'own pages only'],
] as const)('%s is refused in one sentence', (_what, change, why) => {
  const judgement = judged(change)
  expect(judgement).toMatchObject({ ok: false, why: expect.stringContaining(why) })
})

test('the token in the address enters, the cookie looks, and the own page gives orders', () => {
  expect(judged({ cookie: undefined, token })).toEqual({ ok: true, enters: true })
  expect(judged({})).toEqual({ ok: true, enters: false })
  expect(judged({ peer: '::1', host: 'localhost:4010' })).toEqual({ ok: true, enters: false })
  for (const origin of ['http://127.0.0.1:4010', 'https://127.0.0.1:4010']) {
    expect(judged({ method: 'POST', origin })).toEqual({ ok: true, enters: false })
  }
})

test('the cookie is for the window only, out of reach of scripts and of other sites', () => {
  expect(cookieFor(4010, token)).toBe('paydesk-window-4010=the-token; Path=/_sandbox; HttpOnly; SameSite=Strict')
})
