import { readdirSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { CallbackStore } from '../../../src/lib/callback/callbacks.ts'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import { paddings } from '../../../src/lib/envelope/scheme.ts'
import { largestBody } from '../../../src/lib/text.ts'
import {
  linesOf,
  listed,
  listening,
  orderId,
  payment,
  post,
  program,
  sealed,
  subscription,
  token,
} from '../../kit/callback.ts'
import { briskClock } from '../../kit/clock.ts'
import { newPair, newScene } from '../../kit/envelope.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { freePort, until } from '../../kit/tools.ts'

test('callback listen: plain JSON is answered with 200, stored and shown without its card token', async () => {
  const home = newHome()
  const { url, stop } = await listening({ home })
  expect(await post(url, payment)).toBe(200)
  const { code, stdout, stderr } = await stop()
  expect(code).toBe(130)
  expect(stdout).toContain(`Listening for callbacks at ${url} until ^C.`)
  expect(stdout).toContain('payment callback  SUCCESS  GEL 12.5')
  expect(stdout).toContain('plain JSON, not sealed')
  expect(stdout).toContain(`paydesk order status ${orderId}`)
  expect(stderr).toContain('sealed callbacks are stored without being opened')
  expect(stderr).toContain('received callbacks are stored')
  expect(stdout + stderr).not.toContain(token)
})

test("callback listen: the line that reads the order again names the listener's profile", async () => {
  const { home } = newScene()
  const { url, stop } = await listening({ home }, '-p', 'sandbox')
  expect(await post(url, payment)).toBe(200)
  expect((await stop()).stdout).toContain(`paydesk order status ${orderId} -p sandbox`)
  expect(await listed(home)).toMatchObject([{ next: `paydesk order status ${orderId} -p sandbox` }])
})

test.each([...paddings, 'rsa-oaep-sha256', 'rsa-pkcs1'] as const)(
  'callback listen: a callback sealed as %s is opened, and its scheme is detected',
  async (scheme) => {
    const { home, pair, privateKey } = newScene()
    const { url, stop } = await listening({ home }, '--private-key', privateKey, '--json')
    const said = scheme.startsWith('rsa-') ? subscription : payment
    expect(await post(url, sealed(said, pair, scheme))).toBe(200)
    const ended = await stop()
    expect(linesOf(ended)).toMatchObject([
      { event: 'ready', url, warnings: [] },
      { event: 'callback', how: 'sealed', scheme, kind: scheme.startsWith('rsa-') ? 'subscription' : 'payment' },
    ])
    expect(ended.stdout).not.toContain(token)
  },
)

test('callback listen -p: a sealed callback is opened with the keys of the profile', async () => {
  const { home, pair, privateKey } = newScene()
  await paydesk(
    [
      ...['profile', 'add', 'acme', '--base-url', 'https://pay.example.com', '--environment', 'test'],
      ...['--private-key', privateKey],
    ],
    { home },
  )
  const { url, stop } = await listening({ home }, '-p', 'acme', '--json')
  await post(url, sealed(payment, pair))
  expect(linesOf(await stop())[1]).toMatchObject({ profile: 'acme', how: 'sealed', integratorOrderId: orderId })
})

test('callback listen: bodies that cannot be opened or read are stored with the reason and answered with 200', async () => {
  const { home, privateKey } = newScene()
  const { url, stop } = await listening({ home }, '--private-key', privateKey, '--json')
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  const bodies = [
    ...[sealed(payment, newPair()), 'garbage', '', Buffer.from([0xff, 0xfe]), '[1]', '{"encryptedData":"*"}'],
    ...[deep],
  ]
  for (const body of bodies) expect(await post(url, body)).toBe(200)
  const events = linesOf(await stop()).slice(1)
  expect(events.map(({ how }) => how)).toEqual(['unopened', ...Array(6).fill('unreadable')])
  expect(events.map(({ why }) => why)).toEqual([
    ...[expect.stringContaining('none of your private keys'), 'it is not JSON', 'it is empty'],
    ...['it is not UTF-8 text', 'it is JSON, but not an object', 'encryptedData is not base64'],
    ...[expect.stringMatching(/in each other|no JSON/)],
  ])
  expect(await listed(home)).toHaveLength(7)
})

test('callback listen: bytes and target are stored as they came, in files that only the owner can read', async () => {
  const home = newHome()
  const { url, stop } = await listening({ home }, '--json')
  const body = Buffer.from([...Buffer.from('{"status" : "SUCCESS"}\r\n'), 0xff])
  await post(`${url}?from=a%20b`, body, { 'X-One': 'Zwei' })
  await stop()
  const [entry] = await listed(home)
  const shown = await paydesk(['callback', 'show', String(entry?.callbackId), '--json'], { home })
  expect(shown.json).toMatchObject({ bytes: body.length, request: { method: 'POST', target: '/callback?from=a%20b' } })
  const raw = await paydesk(['callback', 'show', String(entry?.callbackId), '--raw', '--json'], { home })
  expect(Buffer.from(String(raw.json.base64), 'base64')).toEqual(body)
  for (const file of readdirSync(join(home, 'callbacks'))) {
    expect(statSync(join(home, 'callbacks', file)).mode & 0o077, file).toBe(0)
  }
})

test('callback listen: another path (404), another method (405) and too large a body (413) are refused and not stored', async () => {
  const home = newHome()
  const { url, stop } = await listening({ home }, '--json', '--path', 'callback/')
  expect((await fetch(`${url}/x`, { method: 'POST', body: '{}' })).status).toBe(404)
  const got = await fetch(url)
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await post(url, Buffer.alloc(largestBody + 1, 'x'))).toBe(413)
  expect(await post(`${url}/`, Buffer.alloc(largestBody, 'x'))).toBe(200)
  const events = linesOf(await stop()).slice(1)
  expect(events.map(({ event, status }) => [event, status])).toEqual([
    ['refused', 404],
    ['refused', 405],
    ['refused', 413],
    ['callback', null],
  ])
  expect(await listed(home)).toHaveLength(1)
})

test('callback listen: a request whose client goes away in the middle is not stored', async () => {
  const home = newHome()
  const { url, stop } = await listening({ home })
  const { port } = new URL(url)
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write('POST /callback HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"half"', () => socket.destroy())
    })
    socket.on('close', () => resolve())
  })
  await post(url, payment)
  await stop()
  expect(await listed(home)).toHaveLength(1)
})

test('callback listen: the same bytes, or the same order, transaction, status and amount, are a duplicate, answered with 200', async () => {
  const { home, pair, privateKey } = newScene()
  const { url, stop } = await listening({ home }, '--private-key', privateKey, '--json')
  const { transactionId: _, ...without } = payment
  const bodies = [
    payment,
    payment,
    sealed({ ...payment, amount: '12.50' }, pair),
    { ...payment, status: 'FAILED' },
    { ...payment, transactionId: '900720' },
    { ...payment, amount: 12.51 },
    without,
    'garbage',
    'garbage',
    subscription,
    { ...subscription, historyId: 'h-2' },
    { ...subscription, more: 1 },
  ]
  for (const body of bodies) expect(await post(url, body)).toBe(200)
  const events = linesOf(await stop()).slice(1)
  const same = events.map(({ duplicateOf }) => events.findIndex(({ callbackId }) => callbackId === duplicateOf))
  expect(same).toEqual([-1, 0, 0, -1, -1, -1, -1, -1, 7, -1, -1, 9])
})

const secret = `whsec_${Buffer.from('a secret of callbacks').toString('base64')}`

test('callback listen --secret-file: the verdict on the signature is shown, and every callback is stored and answered with 200', async () => {
  const { home, put } = newScene()
  const file = put('hook.secret', `${secret}\n`)
  const { url, stop } = await listening({ home }, '--secret-file', file, '--json')
  const text = JSON.stringify(payment)
  const now = new Date()
  const signed = (id: string, at: Date, body: string) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign(id, at, body)}`,
  })
  expect(await post(url, text, signed('m1', now, text))).toBe(200)
  expect(await post(url, text, signed('m2', now, `${text} `))).toBe(200)
  expect(await post(url, text, signed('m3', new Date(now.getTime() - 3_600_000), text))).toBe(200)
  expect(await post(url, text)).toBe(200)
  const ended = await stop()
  expect(
    linesOf(ended)
      .slice(1)
      .map(({ signature }) => signature),
  ).toEqual([
    'valid',
    'not valid: its signature does not match the secret',
    expect.stringMatching(/signed 3\d\d\d s before it was received/),
    'not valid: it is not signed: webhook-id, -timestamp or -signature is missing',
  ])
  expect(ended.stdout + ended.stderr).not.toContain(secret)
})

test('callback listen -p: a callback secret that cannot be used is refused (4) before it listens', async () => {
  const { home, put, privateKey } = newScene()
  const file = put('hook.secret', 'not-base64!')
  const add = ['profile', 'add', 'acme', '--base-url', 'https://pay.example.com', '--environment', 'test']
  await paydesk([...add, '--private-key', privateKey, '--callback-secret-file', file], { home })
  const ended = await paydesk(['callback', 'listen', '-p', 'acme', '--port', '0', '--json'], { home })
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.stderr).toContain(`--callback-secret-file ${file} holds no Standard Webhooks secret`)
  expect(ended.stderr).not.toContain('not-base64')
})

test('callback listen --forward-to: method, bytes, query and end-to-end headers are forwarded, hop-by-hop headers are not', async () => {
  const home = newHome()
  const to = await program()
  const { url, stop } = await listening({ home }, '--forward-to', `${to.url}?mine=1`, '--json')
  const body = Buffer.from([...Buffer.from('{"a": 1.50}'), 0xff, 0])
  const { port } = new URL(url)
  await new Promise<void>((resolve, reject) => {
    const headers = {
      ...{ 'Content-Type': 'text/x; charset=weird', 'X-Twice': ['a', 'b'], 'User-Agent': 'the service' },
      ...{ connection: 'keep-alive, x-hop', 'X-Hop': '1', 'keep-alive': 'timeout=3', te: 'trailers' },
    }
    const sending = request({ port, path: '/callback?b=2', method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => resolve())
    })
    sending.on('error', reject).end(body)
  })
  await until('it was forwarded', () => to.taken.length === 1)
  expect(to.taken[0]).toMatchObject({ method: 'POST', url: '/hook?mine=1&b=2', body })
  const headers = to.taken[0]?.headers ?? {}
  expect(headers).toMatchObject({
    'content-type': 'text/x; charset=weird',
    'x-twice': 'a, b',
    'user-agent': 'the service',
  })
  for (const name of ['x-hop', 'te', 'keep-alive', 'transfer-encoding']) expect(headers[name], name).toBeUndefined()
  expect(headers.host).toBe(new URL(to.url).host)
  await until('it is noted', async () => (await listed(home))[0]?.forward === 'delivered')
  const events = linesOf(await stop())
  expect(events).toContainEqual(
    expect.objectContaining({ event: 'forward', outcome: 'delivered', http: 200, tries: 1 }),
  )
})

test('callback listen --forward-to: a callback answered with 500 is sent again while later ones and duplicates are delivered', async () => {
  const home = newHome()
  let fine = 0
  const to = await program(({ body }) => {
    if (body.toString() === 'poison') return fine < 2 ? 500 : 204
    fine += 1
    return 204
  })
  const { url, stop } = await listening({ home, clock: briskClock() }, '--forward-to', to.url)
  await post(url, 'poison')
  await post(url, payment)
  await post(url, payment)
  await until('all are delivered', async () => (await listed(home)).every(({ forward }) => forward === 'delivered'))
  const bodies = to.taken.map(({ body }) => (body.toString() === 'poison' ? 'poison' : 'fine'))
  expect(bodies.filter((each) => each === 'fine')).toHaveLength(2)
  expect(bodies.at(-1)).toBe('poison')
  const { stderr } = await stop()
  expect(stderr).toMatch(/warning: http:\S+ answered 500 to cb-\w+ \(said 500\); next attempt in 0\.\d s/)
})

test('callback listen --forward-to: a target that is down is told once, and once when it is back; the order is kept', async () => {
  const home = newHome()
  const port = await freePort()
  const { url, stop } = await listening({ home, clock: briskClock() }, '--forward-to', `http://127.0.0.1:${port}/hook`)
  for (const at of [1, 2, 3]) await post(url, { at })
  await until('it was tried', async () => {
    const [oldest] = (await listed(home)).slice(-1)
    const shown = await paydesk(['callback', 'show', String(oldest?.callbackId), '--json'], { home })
    return (shown.json.attempts as unknown[]).length >= 2
  })
  const to = await program(() => 200, port)
  await until('all are there', () => to.taken.length === 3)
  expect(to.taken.map(({ body }) => JSON.parse(body.toString()))).toEqual([{ at: 1 }, { at: 2 }, { at: 3 }])
  await until('all are noted', async () => (await listed(home)).every(({ forward }) => forward === 'delivered'))
  const { stderr } = await stop()
  expect(stderr.match(/the target is DOWN/g)).toHaveLength(1)
  expect(stderr.match(/the target is back/g)).toHaveLength(1)
})

test.each(['reset', 'hang'] as const)(
  'callback listen --forward-to: a callback that the target answers with a %s does not delay the others',
  async (how) => {
    const home = newHome()
    const to = await program(({ body }) => (body.toString() === 'poison' ? how : 200))
    const { url, stop } = await listening(
      { home, clock: briskClock() },
      '--forward-to',
      to.url,
      '--answer-timeout',
      '500ms',
    )
    for (const body of ['good-1', 'poison', 'good-2', 'good-3']) await post(url, body)
    await until('the good ones are there', async () => {
      const states = (await listed(home)).map(({ forward }) => forward)
      return states.filter((state) => state === 'delivered').length === 3
    })
    expect((await listed(home)).map(({ forward }) => forward)).toEqual([
      'delivered',
      'delivered',
      'pending',
      'delivered',
    ])
    const { stderr } = await stop()
    expect(stderr).toMatch(/warning: http:\S+ did not accept cb-\w+ \(.+\); next attempt in 0\.\d s/)
    expect(stderr).not.toContain('the target is back')
  },
)

test('callback listen --forward-to: a callback that comes back through a proxy is told once, and not forwarded again', async () => {
  const home = newHome()
  let back = ''
  const proxy = await program(({ body, headers }) => {
    const { host: _, connection: __, 'content-length': ___, ...others } = headers
    void post(back, body, others as Record<string, string>)
    return 200
  })
  const { url, stop } = await listening({ home }, '--forward-to', proxy.url)
  back = url
  await post(url, { at: 1 })
  await post(url, { at: 2 })
  await until('both came back', async () => (await listed(home)).length >= 4)
  await until('nothing is under way', async () => (await listed(home)).every(({ forward }) => forward !== 'pending'))
  expect(proxy.taken).toHaveLength(2)
  expect((await listed(home)).map(({ forward }) => forward).toSorted()).toEqual(['delivered', 'delivered', null, null])
  const { stderr } = await stop()
  expect(stderr.match(/come back to this listener/g)).toHaveLength(1)
})

test('callback listen --forward-to: after a restart undelivered callbacks go on, and only to their own target', async () => {
  const home = newHome()
  const port = await freePort()
  const target = `http://127.0.0.1:${port}/hook`
  const first = await listening({ home }, '--forward-to', target)
  await post(first.url, payment)
  await first.stop()
  const second = await listening({ home }, '--json')
  const [ready] = linesOf(await second.stop())
  expect(ready).toMatchObject({
    forwardTo: null,
    warnings: [expect.any(String), `1 undelivered for ${target}: it goes when --forward-to names that address again`],
  })
  const to = await program(() => 200, port)
  const third = await listening({ home }, '--forward-to', target, '--json')
  await until('it is there', () => to.taken.length === 1)
  await until('it is noted', async () => (await listed(home))[0]?.forward === 'delivered')
  expect(linesOf(await third.stop())[0]).toMatchObject({ forwardTo: target, waiting: 1 })
})

const refusal = async (home: string, ...more: readonly string[]) => {
  const { code, stderr } = await paydesk(['callback', 'listen', '--port', '0', ...more], { home })
  return { code, stderr }
}

test.each([
  [['--output', 'csv'], 2, 'do not go into one table'],
  [['--forward-to', 'ftp://x'], 2, '--forward-to takes an address'],
  [['--forward-to', 'http://a:b@127.0.0.1/'], 2, 'no user name'],
  [['--path', '/a?b'], 2, '--path takes a path'],
  [['-p', 'nobody'], 4, 'there is no profile "nobody"'],
  [['--private-key', '/nowhere.key'], 4, '/nowhere.key cannot be read'],
  [['--secret-file', '/nowhere'], 4, '--secret-file /nowhere cannot be read'],
])('callback listen %j: refused (%i) before it listens', async (flags, code, said) => {
  const refused = await refusal(newHome(), ...flags)
  expect(refused).toMatchObject({ code, stderr: expect.stringContaining(said) })
})

test('callback listen: a second listener on the same store is refused (12), and a port in use is refused (2)', async () => {
  const home = newHome()
  const { url } = await listening({ home })
  expect(await refusal(home)).toMatchObject({ code: 12, stderr: expect.stringContaining('another `callback listen`') })
  const argv = ['callback', 'listen', '--port', new URL(url).port]
  expect(await paydesk(argv, { home: newHome() })).toMatchObject({ code: 2 })
})

test('callback listen --host 0.0.0.0: callbacks are taken, with a warning that others can reach it', async () => {
  const { url, stop } = await listening({ home: newHome() }, '--host', '0.0.0.0')
  expect(await post(url, payment)).toBe(200)
  expect((await stop()).stderr).toContain('listening on 0.0.0.0: other machines can reach it')
})

test('callback listen: the store holds the card token only inside the sealed bytes', async () => {
  const { home, pair, privateKey } = newScene()
  const { url, stop } = await listening({ home }, '--private-key', privateKey)
  await post(url, sealed(payment, pair))
  await stop()
  const files = readdirSync(join(home, 'callbacks')).map((file) =>
    readFileSync(join(home, 'callbacks', file), 'latin1'),
  )
  expect(files.join('')).not.toContain(token)
})

test("callback listen --forward-to: a card token that the target's answer quotes is hidden", async () => {
  const { home, pair, privateKey } = newScene()
  const to = await program((_, count) => (count === 1 ? 500 : 200), undefined, `no such card: ${token}`)
  const { url, stop } = await listening(
    { home, clock: briskClock() },
    '--private-key',
    privateKey,
    '--forward-to',
    to.url,
  )
  await post(url, sealed(payment, pair))
  await until('it is delivered', async () => (await listed(home))[0]?.forward === 'delivered')
  const { stdout, stderr } = await stop()
  expect(stderr).toContain('no such card: [hidden]')
  const shown = await paydesk(['callback', 'show', String((await listed(home))[0]?.callbackId)], { home })
  expect(stdout + stderr + shown.stdout).not.toContain(token)
})

test('callback listen: callbacks that a killed listener stored unopened are opened and shown first', async () => {
  const { home, pair, privateKey } = newScene()
  const killed = await CallbackStore.open(join(home, 'callbacks', 'callbacks.db'), realClock, realRandom, () => null)
  const body = Buffer.from(sealed(payment, pair))
  const raw = { receivedAt: 0, remote: '127.0.0.1:1', method: 'POST', target: '/callback', headers: [], body }
  const id = await killed.receive(raw, { profile: null, target: null, mark: 'm' })
  await killed.close()
  expect(await listed(home)).toMatchObject([{ how: null, kind: null }])
  const { stop } = await listening({ home }, '--private-key', privateKey, '--json')
  await until('it is opened', async () => (await listed(home))[0]?.how === 'sealed')
  expect(linesOf(await stop())).toMatchObject([{ event: 'ready' }, { event: 'callback', callbackId: id }])
})
