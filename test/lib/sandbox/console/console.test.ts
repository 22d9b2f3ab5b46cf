import { request as httpRequest } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { realClock } from '../../../../src/lib/edge.ts'
import { isLoopbackHost } from '../../../../src/lib/http/host-check.ts'
import { type ConsoleVisit, judgeVisit } from '../../../../src/lib/sandbox/console/console.ts'
import { faultPresets } from '../../../../src/lib/sandbox/console/page.ts'
import { startSandbox } from '../../../../src/lib/sandbox/server/start.ts'
import { courierOf, receiver } from '../../../kit/callback.ts'
import { callers, toIban } from '../../../kit/sandbox/callers.ts'
import { busyWorld, script, token, withConsole } from '../../../kit/sandbox/console.ts'
import { integratorNamed } from '../../../kit/sandbox/integrator.ts'
import { fileSandbox, freshDirectory, memorySandbox } from '../../../kit/sandbox/stand.ts'
import { until } from '../../../kit/tools.ts'

// Every section is opened, in a world in which much has happened.
vi.setConfig({ testTimeout: 60_000 })

interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Any header whatever: fetch would not let some of them be set. */
function ask(url: string, headers: Record<string, string> = {}, body?: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: String(Buffer.concat(pieces)) }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function open(clock?: typeof realClock) {
  const sandbox = await memorySandbox(...(clock ? [clock] : []))
  const served = await withConsole(sandbox)
  onTestFinished(() => served.close())
  const cookie = { cookie: `paydesk-console-${served.port}=${token}` }
  const look = (query = '') => ask(`${served.consoleUrl}${query}`, cookie)
  const order = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    ask(
      `${served.consoleUrl}/${path}`,
      { ...cookie, origin: served.url, ...headers },
      String(new URLSearchParams(form)),
    )
  return { sandbox, ...served, cookie, look, order }
}

test('the first visit turns the token into a cookie and cleans the address', async () => {
  const { door, look } = await open()
  const entered = await ask(door)
  expect([entered.status, entered.headers.location]).toEqual([303, '/_sandbox'])
  expect(String(entered.headers['set-cookie'])).toMatch(/; Path=\/_sandbox; HttpOnly; SameSite=Strict$/)
  expect((await look()).status).toBe(200)
})

test('a visitor without the token, or by another name of this machine, gets one sentence', async () => {
  const { consoleUrl, door, cookie } = await open()
  for (const headers of [{ ...cookie, host: 'evil.example' }, { host: 'evil.example' }]) {
    const { status, headers: told } = await ask(door, headers)
    expect([status, told['set-cookie']]).toEqual([421, undefined])
  }
  for (const refused of [
    await ask(consoleUrl),
    await ask(`${consoleUrl}?token=wrong`),
    await ask(`${consoleUrl}/live`),
  ]) {
    expect([refused.status, refused.body.split('\n').length]).toEqual([403, 2])
    expect(refused.body).toMatch(/^The console .*\.\n$/)
    expect(refused.headers['set-cookie']).toBeUndefined()
  }
})

test('orders are taken from its own pages only', async () => {
  const { order, sandbox } = await open()
  for (const headers of [{ origin: 'https://evil.example' }, { cookie: '' }]) {
    expect((await order('fault/clear', {}, headers)).status).toBe(403)
  }
  expect((await order('fault/clear', {}, { host: 'evil.example' })).status).toBe(421)
  expect((await order('clock/advance', { by: '1h' })).body).toMatch(/^It is 2026-11-20 15:00:00 at the service/)
  expect((await sandbox.clock()).ahead).toBe(3_600_000)
  expect((await order('nothing', {})).status).toBe(404)
})

test('pages may run their own script and style and nothing else, in no frame, and are kept nowhere', async () => {
  const { look } = await open()
  const { headers, body } = await look()
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'; script-src 'nonce-nonce1'; style-src 'nonce-nonce1'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  expect(body).not.toMatch(/\son\w+=|style="|https?:\/\//)
  expect(body).toContain(`<script nonce="nonce1">${await script()}</script>`)
})

test('there is no console unless it was asked for, and without one the path is like any other', async () => {
  const sandbox = await fileSandbox(freshDirectory(), realClock)
  const { ready, close } = await startSandbox(sandbox, freshDirectory(), {})
  onTestFinished(close)
  expect(ready.dashboard).toBeNull()
  expect((await fetch(`${ready.url}/_sandbox`)).status).toBe(404)
})

test('the ready line has the address, also when the service is open to others', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const sandbox = await fileSandbox(freshDirectory(), realClock)
    const { ready, close } = await startSandbox(sandbox, freshDirectory(), {
      host,
      console: { token, nonce: () => 'n', script },
    })
    onTestFinished(close)
    expect(ready.dashboard).toBe(`${ready.url}/_sandbox?token=${token}`)
    expect((await fetch(String(ready.dashboard), { redirect: 'manual' })).status).toBe(303)
  }
})

test('every section shows what there is, each entry whole', async () => {
  const { sandbox, url, look } = await open()
  await busyWorld(sandbox, url)
  const views: Record<string, readonly string[]> = {
    requests: ['order.create', '500 · 6010', 'html502 after', '200 · WRONG_AMOUNT', 'not executed: WRONG_AMOUNT'],
    payouts: ['GEL 1250.00', 'ნინო ბერიძე', '100001'],
    orders: ['GEL 64.90', 'PARTIALLY_REFUNDED|REFUND_REQUESTED'],
    wallet: ['GEL 25.00', 'FAILED'],
    cards: ['VISA'],
    subscriptions: ['GEL|15.00', 'MONTHLY'],
    callbacks: ['https://shop.example/callback'],
    balances: ['GE78SB1000000000000001', 'Old Town Shop', 'ნინო ბერიძე'],
    'clock-and-faults': ['hang before', 'request 3 from now', 'Advance by'],
  }
  for (const [view, texts] of Object.entries(views)) {
    const { status, body } = await look(`?view=${view}`)
    expect(status).toBe(200)
    for (const text of texts) expect(body, view).toMatch(new RegExp(text.replaceAll('.', '\\.')))
    for (const [, address = ''] of body.matchAll(/class="entry" id="[^"]*" href="([^"]*)"/g)) {
      const whole = await look(address.replace('/_sandbox', '').replaceAll('&amp;', '&'))
      expect(whole.body, address).toContain('Close the details')
      expect(whole.body, address).not.toContain('It is gone')
    }
  }
  expect((await look('?view=orders&id=nothing')).body).toContain('It is gone')
  expect((await look('?view=nonsense')).body).toContain('aria-current="page" data-key="1"')
})

test('no token of a card is shown, in no list and in no entry', async () => {
  const { sandbox, url, look } = await open()
  const us = await integratorNamed(sandbox, url)
  const integratorOrderId = await us.created({ saveCard: true, directLinkProvider: 'TBC' })
  await sandbox.trigger({ what: 'paid', order: integratorOrderId })
  const token = String((await us.send(getCard, { integratorOrderId })).value.token)
  expect(token).toMatch(/^[0-9a-f-]{36}$/)
  await us.created({ cardToken: token })
  await sandbox.requests.flush()
  for (const view of ['requests', 'orders', 'cards', 'callbacks']) {
    const { body } = await look(`?view=${view}`)
    expect(body, view).not.toContain(token)
    for (const [, address = ''] of body.matchAll(/class="entry" id="[^"]*" href="([^"]*)"/g)) {
      expect((await look(address.replace('/_sandbox', '').replaceAll('&amp;', '&'))).body, address).not.toContain(token)
    }
  }
  expect((await look(`?view=cards&q=${integratorOrderId}`)).body).toContain('411111******1111')
  expect((await look('?view=callbacks&id=1')).body).toContain('[hidden]')
})

test('one search finds ids, amounts, codes and names, and says where', async () => {
  const { sandbox, url, look } = await open()
  await busyWorld(sandbox, url)
  const count = async (search: string, view: string) => {
    const { body } = await look(`?view=${view}&q=${encodeURIComponent(search)}`)
    return [...body.matchAll(/class="entry"/g)].length
  }
  expect(await count('"statusCode":6031', 'requests')).toBe(1)
  expect(await count('1250.00', 'payouts')).toBe(1)
  expect(await count('ნინო gel', 'payouts')).toBe(1)
  expect(await count('100001', 'payouts')).toBe(1)
  expect(await count('sandbox-bare', 'requests')).toBe(1)
  expect(await count('ნინო', 'wallet')).toBe(1)
  expect(await count('64.90', 'orders')).toBe(1)
  expect(await count('nobody', 'orders')).toBe(0)
  expect((await look('?view=requests&q=1250.00')).body).toMatch(/Payouts <b>1<\/b>/)
  expect((await look('?q=<b>"nobody"')).body).toContain('Nothing here holds “&lt;b&gt;&quot;nobody&quot;”.')
})

test('texts from outside stay texts, wherever they are shown', async () => {
  const { sandbox, url, look, order } = await open()
  const { byIban } = await callers(sandbox)
  const hostile = '"><script>document.title=1</script>'
  const body = JSON.stringify(toIban({ beneficiaryName: hostile, beneficiaryAddress: hostile }))
  const headers = { authorization: `Bearer ${byIban.token}` }
  await fetch(`${url}/api/distributor`, { method: 'POST', headers, body })
  await fetch(`${url}/api/${encodeURIComponent(hostile)}`, { method: 'POST', body })
  const us = await integratorNamed(sandbox, url)
  await us.created({ callbackUri: 'https://shop.example/?"><script>1</script>' })
  await sandbox.requests.flush()
  for (const query of ['?view=payouts', '?view=requests', '?view=orders']) {
    const list = await look(query)
    const [, first = ''] = /class="entry" id="[^"]*" href="\/_sandbox([^"]*)"/.exec(list.body) ?? []
    const whole = await look(first.replaceAll('&amp;', '&'))
    for (const page of [list, whole]) expect(page.body.match(/<script/g)).toEqual(['<script'])
  }
  const said = await order('clock/advance', { by: hostile })
  expect([said.status, said.headers['content-type']]).toEqual([422, 'text/plain; charset=utf-8'])
})

test('by hand: clock, faults, and the payer of an order', async () => {
  const { sandbox, url, order } = await open()
  expect((await order('clock/set', { to: '2026-12-01 12:00:00' })).body).toContain('2026-12-01 12:00:00')
  expect(await order('clock/set', { to: '2026-11-01 12:00:00' })).toMatchObject({
    status: 422,
    body: expect.stringContaining('The clock only goes forward'),
  })
  const fault = { op: 'payout.create', at: 'after', kind: 'slow', nth: '2', times: '', perMille: '', delay: '5s' }
  expect((await order('fault/add', fault)).status).toBe(200)
  expect(await sandbox.faults.list()).toMatchObject([
    { op: 'payout.create', kind: 'slow', nth: 2, times: 1, delay: 5000 },
  ])
  expect((await order('fault/add', { ...fault, kind: 'earthquake' })).status).toBe(422)
  expect((await order('fault/clear', { id: '1' })).body).toBe('Cleared 1 fault.\n')
  const us = await integratorNamed(sandbox, url)
  const id = await us.created()
  expect((await order('trigger', { what: 'paid', order: id, card: 'declined' })).body).toBe(
    'The order is FAILED: declined by the bank.\n',
  )
  expect((await order('trigger', { what: 'expired', order: id, card: 'declined' })).status).toBe(422)
  const next = await us.created()
  expect((await order('trigger', { what: 'expired', order: next, card: 'approved' })).body).toContain('EXPIRED')
})

test('a callback shows what its receiver replied, without tokens, and as text', async () => {
  const { look, sandbox, url } = await open()
  const us = await integratorNamed(sandbox, url)
  const there = await receiver(({ body }) => ({ status: 200, body: `<b>got</b> ${body.length > 0}` }))
  courierOf(sandbox)
  const order = await us.created({ callbackUri: there.url })
  await sandbox.trigger({ what: 'paid', order })
  await there.came(1)
  await until('the reply is kept', async () => (await sandbox.callbacks.list())[0]?.attempts[0]?.reply !== undefined)
  const { body } = await look('?view=callbacks&id=1')
  expect(body).toContain('Reply to attempt 1')
  expect(body).toContain('&lt;b&gt;got&lt;/b&gt; true')
})

test('by hand: a preset fault, a callback again, a refund; each from its own pages and with the token only', async () => {
  const { sandbox, url, order } = await open()
  const us = await integratorNamed(sandbox, url)
  const id = await us.created({ amount: 20 })
  await sandbox.trigger({ what: 'paid', order: id })
  const actions: readonly [string, Record<string, string>, string][] = [
    [
      'fault/preset',
      { preset: 'lose-answer', op: 'payout.create' },
      'The fault waits for the next payout.create: it is exec',
    ],
    ['callback/resend', { order: id, callback: '1' }, 'Callback 2 is not sent: shop.example is a name for examples'],
    ['trigger', { what: 'refunded', order: id, amount: '5' }, 'The order is PARTIALLY_REFUNDED.'],
  ]
  for (const [path, form, said] of actions) {
    for (const headers of [{ origin: 'https://evil.example' }, { cookie: '' }]) {
      expect((await order(path, form, headers)).status, path).toBe(403)
    }
    expect(await order(path, form), path).toMatchObject({ status: 200, body: expect.stringContaining(said) })
  }
  expect(await sandbox.faults.list()).toMatchObject([{ op: 'payout.create', at: 'after', kind: 'reset', times: 1 }])
  const other = await us.created()
  const refused: readonly [string, Record<string, string>][] = [
    ['fault/preset', { preset: 'earthquake', op: 'order.create' }],
    ['fault/preset', { preset: 'lose-answer', op: 'nothing' }],
    ['callback/resend', { order: other, callback: '1' }],
    ['callback/resend', { order: id, callback: 'x' }],
    ['trigger', { what: 'refunded', order: id, amount: '15.01' }],
    ['trigger', { what: 'refunded', order: id, amount: '-1' }],
  ]
  for (const [path, form] of refused) expect((await order(path, form)).status, JSON.stringify(form)).toBe(422)
  expect(await sandbox.callbacks.list()).toHaveLength(2)
})

test('every preset is a fault that can be ordered', async () => {
  const { sandbox, order } = await open()
  for (const { name } of faultPresets) {
    expect((await order('fault/preset', { preset: name, op: 'payout.create' })).status, name).toBe(200)
  }
  expect(await sandbox.faults.list()).toHaveLength(faultPresets.length)
})

test('filters leave parts of the log, polls are one row, and an unknown filter is none', async () => {
  const { sandbox, url, look } = await open()
  await busyWorld(sandbox, url)
  const us = await integratorNamed(sandbox, url)
  const id = await us.created()
  for (let turn = 0; turn < 5; turn += 1) await us.status(id)
  await sandbox.requests.flush()
  const rows = async (query: string) => {
    const { body } = await look(`?view=requests${query}`)
    return [...body.matchAll(/data-column="answer"><span class="mark \w+">([^<]*)</g)].map(([, answer]) => answer)
  }
  const all = await rows('')
  expect((await look('')).body).toContain('aria-label="5 alike: show each of them">×5</a>')
  expect(await rows('&only=nonsense')).toEqual(all)
  expect(await rows('&only=faults')).toEqual(['502 · html502 after'])
  const errors = await rows('&only=errors')
  expect(errors).toEqual(all.filter((answer) => !/^200$|^502|^200 · SUCCESS/.test(String(answer))))
  expect(errors).toContain('200 · REJECTED')
  const writes = (await look('?view=requests&only=writes')).body
  expect(writes).toContain('order.refund')
  expect(writes).not.toMatch(/>(order\.status|payout\.balance|auth\.token)</)
  const [, unfold = ''] = /id="fold-(\d+)"/.exec((await look('')).body) ?? []
  expect(await rows(`&unfold=${unfold}`)).toHaveLength(all.length + 4)
})

test('a console hears of every change, of other processes too, and the stream ends with the server', async () => {
  const directory = freshDirectory()
  const sandbox = await fileSandbox(directory, realClock)
  const served = await withConsole(sandbox)
  const answer = await fetch(`${served.consoleUrl}/live`, {
    headers: { cookie: `paydesk-console-${served.port}=${token}` },
  })
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const reader = answer.body?.getReader()
  const heard = async () => new TextDecoder().decode((await reader?.read())?.value)
  expect(await heard()).toContain('event: changed')
  // A connection of its own, as another process has one.
  const other = await fileSandbox(directory, realClock)
  await other.faults.add({ op: 'payout.get', at: 'before', kind: '429' })
  let next = await heard()
  while (!next.includes('changed')) next = await heard()
  await served.close()
  await expect(reader?.read()).rejects.toThrow()
})

test('characters that reorder a line are shown by their code points, in the console and in its parts', async () => {
  const { sandbox, url, look, consoleUrl, cookie } = await open()
  const { byIban } = await callers(sandbox)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${byIban.token}` }
  const payout = toIban({ beneficiaryName: 'Nino \u202Eezdireb\u2069', description: '\u2067x' })
  await fetch(`${url}/api/distributor`, { method: 'POST', headers, body: JSON.stringify(payout) })
  await sandbox.requests.flush()
  for (const query of ['?view=payouts', '?view=requests&id=1', `?view=requests&q=${encodeURIComponent('\u202E')}`]) {
    const seen = [await look(query), await ask(`${consoleUrl}${query}`, { ...cookie, 'x-parts': '1' })]
    for (const { body } of seen) expect(body).not.toMatch(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F]/)
  }
  expect((await look('?view=requests&id=1')).body).toContain('Nino &lt;U+202E&gt;ezdireb')
})

const guardToken = 'the-token'
const cookie = 'other=1; paydesk-console-4010=the-token'
const visit: ConsoleVisit = {
  method: 'GET',
  peer: '127.0.0.1',
  host: '127.0.0.1:4010',
  origin: undefined,
  cookie,
  token: undefined,
}
const judged = (change: Partial<ConsoleVisit>) => judgeVisit({ ...visit, ...change }, 4010, guardToken)

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
  ["another port's cookie", { cookie: 'paydesk-console-4011=the-token' }, 'token included'],
  ['a wrong cookie', { cookie: 'paydesk-console-4010=the-token2' }, 'token included'],
  [
    'an order with the token in the address only',
    { method: 'POST', cookie: undefined, token: guardToken },
    'token included',
  ],
  ['an order without an origin', { method: 'POST' }, 'own pages only'],
  ['an order from elsewhere', { method: 'POST', origin: 'https://evil.example' }, 'own pages only'],
  ['an order from another port', { method: 'POST', origin: 'http://127.0.0.1:4011' }, 'own pages only'],
  ['an order of a page without an origin', { method: 'POST', origin: 'null' }, 'own pages only'],
] as const)('%s is refused in one sentence', (_what, change, why) => {
  const judgement = judged(change)
  expect(judgement).toMatchObject({ ok: false, why: expect.stringContaining(why) })
})
