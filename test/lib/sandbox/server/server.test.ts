import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import { freshTransport } from '../../../../src/lib/http/client.ts'
import type { HttpRequest } from '../../../../src/lib/http/message.ts'
import { answerFaultKinds, faultPlaces } from '../../../../src/lib/sandbox/faults.ts'
import type { RequestLine } from '../../../../src/lib/sandbox/server/exchange.ts'
import { type ServeSettings, serve } from '../../../../src/lib/sandbox/server/server.ts'
import { largestBody } from '../../../../src/lib/text.ts'
import { sendRaw } from '../../../golden/exchange.ts'
import { bodyOf, callers, said, toIban } from '../../../kit/sandbox/callers.ts'
import { memorySandbox, served } from '../../../kit/sandbox/stand.ts'
import { until } from '../../../kit/tools.ts'

const send = freshTransport()
const json = { 'content-type': 'application/json' }

async function here(settings: ServeSettings = {}) {
  const sandbox = await memorySandbox(realClock)
  const { byIban } = await callers(sandbox)
  const server = await served(sandbox, settings)
  const request = (more: Partial<HttpRequest>, answerTimeout = 5000) =>
    send(
      server.url,
      {
        method: 'GET',
        path: '/',
        query: [],
        headers: { ...json, authorization: `Bearer ${byIban.token}` },
        body: null,
        ...more,
      },
      { connectTimeout: 5000, answerTimeout, signal: new AbortController().signal },
    )
  const create = (fields: Record<string, unknown>, answerTimeout?: number) =>
    request({ method: 'POST', path: '/api/distributor', body: bodyOf(fields) }, answerTimeout)
  return { sandbox, server, request, create, token: byIban.token }
}

const isUp = async ({ request }: Awaited<ReturnType<typeof here>>) => {
  const delivery = await request({ path: '/api/distributor/balance/check', query: [['currency', 'GEL']] })
  expect(delivery.kind === 'answered' && delivery.answer.status).toBe(200)
}

test('a base path serves the same routes as well, with slashes or without', async () => {
  for (const basePath of ['/ecommerce-service', 'ecommerce-service/']) {
    const at = await here({ basePath })
    const query = [['currency', 'GEL']] as const
    const delivery = await at.request({ path: '/ecommerce-service/api/distributor/balance/check', query })
    expect(delivery.kind === 'answered' && delivery.answer.status).toBe(200)
    const wrong = await at.request({ method: 'DELETE', path: '/ecommerce-service/api/distributor' })
    expect(wrong.kind === 'answered' && wrong.answer.status).toBe(405)
    await isUp(at)
  }
})

test('an operation answers the same however its path is spelt, and the log and the owner see the same', async () => {
  const lines: RequestLine[] = []
  const { server, sandbox, token } = await here({ onRequest: (line) => lines.push(line) })
  const { port } = server
  const plain = '/api/distributor/balance/check?currency=GEL'
  const ask = async (target: string) => {
    const head = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`
    const text = (await sendRaw({ host: '127.0.0.1', port }, Buffer.from(head))).toString()
    return text.replace(/^date: .*\r\n/im, '')
  }
  const answer = await ask(plain)
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  for (const target of [plain.replace('balance', 'b%61lance'), `http://127.0.0.1:${port}${plain}`, `${plain}#end`])
    expect(await ask(target)).toBe(answer)
  await sandbox.requests.flush()
  const logged = await sandbox.requests.list({ limit: 10 })
  expect(logged).toHaveLength(4)
  expect(new Set(logged.map(({ path, operation, verdict }) => [path, operation, verdict].join(' '))).size).toBe(1)
  expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(1)
})

test('a port that is taken is said in one sentence', async () => {
  const { server, sandbox } = await here()
  await expect(serve(sandbox, { port: server.port })).rejects.toMatchObject({ kind: 'usage' })
})

test('every request is told to the owner of the server, without its query and without secrets', async () => {
  const lines: RequestLine[] = []
  const at = await here({ onRequest: (line) => lines.push(line) })
  await at.sandbox.faults.add({ op: 'payout.balance', at: 'before', kind: 'html502' })
  await at.request({ path: '/api/distributor/balance/check', query: [['currency', 'GEL']] })
  await at.request({ path: '/nowhere' })
  expect(lines).toMatchObject([
    {
      method: 'GET',
      path: '/api/distributor/balance/check',
      operation: 'payout.balance',
      status: 502,
      fault: { kind: 'html502' },
    },
    { method: 'GET', path: '/nowhere', operation: null, status: 404, fault: null },
  ])
  expect(JSON.stringify(lines)).not.toContain(at.token)
})

for (const at of faultPlaces) {
  for (const kind of answerFaultKinds) {
    const runs = at === 'after' ? 1 : 0
    test(`${kind} ${at} the service: the payout is executed ${runs ? 'all the same' : 'not at all'}, and only this answer is changed`, async () => {
      const here_ = await here()
      await here_.sandbox.faults.add({ op: 'payout.create', at, kind })
      const delivery = await here_.create(toIban(), ['hang', 'half-written'].includes(kind) ? 300 : 5000)
      expect((await here_.sandbox.ledger()).payouts.map(({ executions }) => executions)).toEqual(runs ? [1] : [])
      if (delivery.kind === 'answered') {
        const status = { html502: 502, json500: 500, garbage: 200, '401': 401, '429': 429 }[kind as 'html502']
        expect(delivery.answer.status).toBe(status)
        if (kind === '429') expect(delivery.answer.headers['retry-after']).toBe('1')
      } else {
        expect(['reset', 'hang', 'truncate', 'half-written']).toContain(kind)
        expect(delivery.kind).toBe('unanswered')
        if (kind === 'reset') expect(delivery.why).toMatch(/ECONNRESET|socket/i)
        if (['hang', 'half-written'].includes(kind)) expect(delivery.why).toContain('no answer within')
      }
      const next = await here_.create(toIban())
      expect(next.kind === 'answered' && next.answer.status).toBe(200)
    })
  }
}

function rawCreate(port: number, token: string | null, body: string): Buffer {
  const head = `POST /api/distributor HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

for (const at of faultPlaces) {
  test(`a truncated answer (${at}) promises its whole length and ends in the middle`, async () => {
    const { sandbox, server, token } = await here()
    await sandbox.faults.add({ op: 'payout.create', at, kind: 'truncate' })
    const text = (
      await sendRaw({ host: '127.0.0.1', port: server.port }, rawCreate(server.port, token, bodyOf(toIban())))
    ).toString()
    const [head = '', body = ''] = text.split('\r\n\r\n')
    const promised = Number(/content-length: (\d+)/i.exec(head)?.[1])
    expect(head).toMatch(/^HTTP\/1\.1 200 /)
    expect(body.length).toBeGreaterThan(0)
    expect(body.length).toBeLessThan(promised)
    expect(() => JSON.parse(body)).toThrow()
  })
}

test('a half-written answer comes with its headers and half of its body, and the connection stays open', async () => {
  const { sandbox, server, token, create } = await here()
  await sandbox.faults.add({ op: 'payout.create', at: 'after', kind: 'half-written' })
  const socket = connect(server.port, '127.0.0.1')
  let text = ''
  let over = false
  socket.on('data', (piece) => {
    text += piece.toString()
  })
  socket.on('close', () => {
    over = true
  })
  socket.write(rawCreate(server.port, token, bodyOf(toIban())))
  const promised = () => Number(/content-length: (\d+)/i.exec(text)?.[1])
  const body = () => text.split('\r\n\r\n')[1] ?? ''
  await until('half of the body came', () => body().length >= Math.floor(promised() / 2))
  // While the server answers others, more could come, or the end.
  for (let others = 0; others < 3; others += 1) await create(toIban())
  expect([body().length, over]).toEqual([Math.floor(promised() / 2), false])
  await server.close()
  socket.destroy()
})

test('a reset is a reset on the wire, not a polite end', async () => {
  const { sandbox, server, token } = await here()
  await sandbox.faults.add({ op: 'payout.create', at: 'before', kind: 'reset' })
  const raw = sendRaw({ host: '127.0.0.1', port: server.port }, rawCreate(server.port, token, bodyOf(toIban())))
  await expect(raw).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('closing the server ends a request that hangs', async () => {
  const { sandbox, server, create } = await here()
  await sandbox.faults.add({ op: 'payout.create', at: 'after', kind: 'hang' })
  const hanging = create(toIban(), 20_000)
  while ((await sandbox.ledger()).payouts.length === 0) await realClock.sleep(5)
  await server.close()
  expect((await hanging).kind).toBe('unanswered')
})

test('a body above 8 MiB is refused with 413, declared or not, and nothing is executed', async () => {
  const at = await here()
  const large = await at.create(toIban({ beneficiaryAddress: 'x'.repeat(largestBody) }))
  expect(large.kind === 'answered' && large.answer.status).toBe(413)
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const head = `POST /api/distributor HTTP/1.1\r\nHost: localhost:${at.server.port}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunked = await sendRaw(
    { host: '127.0.0.1', port: at.server.port },
    Buffer.from(`${head}${chunk.repeat(130)}0\r\n\r\n`),
  )
  expect(chunked.toString()).toMatch(/^HTTP\/1\.1 413 /)
  expect((await at.sandbox.ledger()).payouts).toEqual([])
  await isUp(at)
})

test('bytes that are no UTF-8 are not readable (5043), wherever they stand', async () => {
  const { server, token } = await here()
  const good = bodyOf(toIban({ beneficiaryName: '@@' }))
  const whole = rawCreate(server.port, token, good)
  const at = whole.indexOf('@@')
  whole[at] = 0xff
  whole[at + 1] = 0xfe
  const text = (await sendRaw({ host: '127.0.0.1', port: server.port }, whole)).toString()
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('5043')
})

test('unknown methods and paths are answered and leave the server standing', async () => {
  const at = await here()
  for (const [method, path, status] of [
    ['PATCH', '/api/distributor', 405],
    ['OPTIONS', '/api/distributor', 405],
    ['PUT', '/api/auth', 405],
    ['GET', '/api/auth/', 404],
    ['GET', '/', 404],
    ['GET', '//', 404],
    ['GET', '/%', 404],
    ['GET', '/api/%64istributor', 405],
    ['GET', '/api/%2564istributor', 404],
    ['GET', '/../../etc/passwd', 404],
  ] as const) {
    const host = `127.0.0.1:${at.server.port}`
    const raw = Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    const text = (await sendRaw({ host: '127.0.0.1', port: at.server.port }, raw)).toString()
    expect(`${method} ${path}: ${text.slice(9, 12)}`).toBe(`${method} ${path}: ${status}`)
  }
  await isUp(at)
})

/** Sends bytes and waits until the server has had enough of them. */
function poke(port: number, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
    socket.setTimeout(500, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('data', () => undefined)
    socket.on('close', () => resolve())
  })
}

const startLine = fc.constantFrom(
  'POST /api/distributor',
  'POST /api/auth',
  'GET /api/distributor/details?transaction_id=',
  'GET http://[',
  'BREW /',
)
const request = fc
  .tuple(startLine, fc.string(), fc.uint8Array({ maxLength: 300 }))
  .map(([start, header, body]) =>
    Buffer.concat([
      Buffer.from(`${start} HTTP/1.1\r\nHost: ${header}\r\nContent-Length: ${body.length}\r\n\r\n`),
      body,
    ]),
  )

test('no bytes whatever make the server fall', { timeout: 60_000 }, async () => {
  const at = await here()
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 400 }), request), async (bytes) =>
      poke(at.server.port, bytes),
    ),
    { numRuns: 150 },
  )
  await isUp(at)
})

test('no JSON whatever makes the service throw: it is a payout or a refusal with a code', {
  timeout: 60_000,
}, async () => {
  const at = await here()
  const fields = fc.dictionary(
    fc.constantFrom(
      'amount',
      'currency',
      'description',
      'toIban',
      'uniqueId',
      'receiverId',
      '__proto__',
      'constructor',
      'toString',
    ),
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }), fc.double(), fc.constant('GEL')),
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(fields, fc.jsonValue()), async (value) => {
      const headers = { authorization: `Bearer ${at.token}` }
      const body = JSON.stringify(value)
      const answer = await at.sandbox.answer({ method: 'POST', path: '/api/distributor', query: [], headers, body })
      expect(answer.status).toBe(400)
      expect([5039, 5043, 5047, 5048]).toContain(said(answer).code)
    }),
    { numRuns: 400 },
  )
})
