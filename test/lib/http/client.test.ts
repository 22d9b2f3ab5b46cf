import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  freshTransport,
  pooledTransport,
  type SendLimits,
  type Transmission,
  type TransportSettings,
} from '../../../src/lib/http/client.ts'
import type { HttpRequest } from '../../../src/lib/http/message.ts'
import { selfSigned } from '../../kit/service.ts'
import { freePort, until } from '../../kit/tools.ts'
import { afterRequest, established, join, ok, portOf, proxy, type Wire, wire } from '../../kit/wire.ts'

const get: HttpRequest = { method: 'GET', path: '/api/x', query: [], headers: {}, body: null }
const post: HttpRequest = {
  method: 'POST',
  path: '/api/distributor',
  query: [],
  headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer abc' },
  body: '{"amount":12.50,"description":"ხელფასი"}',
}

/** A service over node:http. */
async function service(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createHttpServer(listener))}`
}

async function tlsService(
  options: TlsOptions,
  onConnection: (socket: TLSSocket) => unknown = (socket) => socket.end(ok),
) {
  let received = ''
  const server = createTlsServer(options, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk
    })
    onConnection(socket)
  })
  server.on('tlsClientError', () => undefined)
  const port = await portOf(server)
  return { url: `https://localhost:${port}`, port, received: () => received }
}

const patient = { connectTimeout: 15_000, answerTimeout: 20_000 }
/** Milliseconds: far less than the patient wait. */
const prompt = 10_000

function send(
  url: string,
  request: HttpRequest = get,
  limits: Partial<SendLimits> = {},
  settings: TransportSettings = {},
): Promise<Transmission> {
  return freshTransport(settings)(url, request, { ...patient, signal: new AbortController().signal, ...limits })
}

function whyOf(delivery: Transmission): string {
  return delivery.kind === 'answered' ? '' : delivery.why
}

async function promptly<Result>(work: Promise<Result>): Promise<Result> {
  const started = performance.now()
  const result = await work
  expect(performance.now() - started).toBeLessThan(prompt)
  return result
}

describe('a whole answer', () => {
  test('status, headers and body arrive as they were sent', async () => {
    const url = await service((_request, response) => {
      response.writeHead(418, { 'Content-Type': 'application/json', 'X-Many': ['a', 'b'] })
      response.end('{"amount":12.50,"name":"ნინო"}')
    })
    const headers = { 'content-type': 'application/json', 'x-many': 'a,b' }
    expect(await send(url)).toMatchObject({
      kind: 'answered',
      answer: { status: 418, body: '{"amount":12.50,"name":"ნინო"}', headers },
      milliseconds: expect.any(Number),
    })
  })

  test('a letter that is cut between two packets stays one letter', async () => {
    const letter = Buffer.from('ნ')
    const url = await service(async (_request, response) => {
      response.write(letter.subarray(0, 1))
      await wait(20)
      response.end(letter.subarray(1))
    })
    expect(await send(url)).toMatchObject({ kind: 'answered', answer: { body: 'ნ' } })
  })

  test('interim answers are passed over', async () => {
    const { url } = await afterRequest((socket) => socket.end(`HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n${ok}`))
    expect(await send(url, post)).toMatchObject({ kind: 'answered', answer: { status: 200, body: '{}' } })
  })

  test.each([301, 302, 303, 307, 308])('HTTP %i is an answer and is not followed', async (status) => {
    const elsewhere = await wire(() => undefined)
    const location = `${elsewhere.url}/api/distributor`
    const url = await service((_request, response) => response.writeHead(status, { location }).end())
    expect(await send(url, post)).toMatchObject({ kind: 'answered', answer: { status, headers: { location } } })
    expect(elsewhere.connections()).toBe(0)
  })

  test('503 is an answer and is not repeated', async () => {
    let requests = 0
    const url = await service((_request, response) => {
      requests += 1
      response.writeHead(503, { 'retry-after': '0' }).end()
    })
    expect(await send(url, post)).toMatchObject({ kind: 'answered', answer: { status: 503 } })
    expect(requests).toBe(1)
  })

  test('a slow service has all the time for its answer, however short the time to connect', async () => {
    const url = await service(async (_request, response) => {
      await wait(2_300)
      response.end('{}')
    })
    expect(await send(url, post, { connectTimeout: 2_000 })).toMatchObject({ kind: 'answered' })
  })
})

describe('the request', () => {
  test('its bytes are method, target, headers and body, without any further header', async () => {
    const server = await afterRequest((socket) => socket.end(ok))
    const query = [
      ['transaction_id', '5 +&='],
      ['k', 'ნ'],
    ] as const
    await send(`${server.url}/prefix/`, { ...post, query })
    const [head = '', body] = server.received().split('\r\n\r\n')
    const [start, ...headers] = head.split('\r\n')
    expect(start).toBe('POST /prefix/api/distributor?transaction_id=5%20%2B%26%3D&k=%E1%83%9C HTTP/1.1')
    expect(body).toBe(post.body)
    expect(headers.map((line) => line.toLowerCase()).toSorted()).toEqual([
      'accept: application/json',
      'authorization: bearer abc',
      'connection: close',
      `content-length: ${Buffer.byteLength(post.body ?? '')}`,
      'content-type: application/json',
      `host: 127.0.0.1:${server.port}`,
      'user-agent: paydesk',
    ])
  })

  test('a read has no body and no length', async () => {
    const server = await afterRequest((socket) => socket.end(ok))
    await send(server.url, get)
    expect(server.received()).toMatch(/^GET \/api\/x HTTP\/1\.1\r\n/)
    expect(server.received()).not.toMatch(/content-length|transfer-encoding|content-type/i)
    expect(server.received().endsWith('\r\n\r\n')).toBe(true)
  })

  test('each has a connection of its own, and none is left open', async () => {
    const open = new Set<Socket>()
    const server = await afterRequest((socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      socket.write(ok)
    })
    const transport = freshTransport()
    const limits = { ...patient, signal: new AbortController().signal }
    for (let times = 0; times < 3; times += 1) await transport(server.url, post, limits)
    expect(server.connections()).toBe(3)
    await until('no connection is open', () => open.size === 0)
  })

  test('something that cannot be a request is unsent, and nothing is thrown', async () => {
    const server = await wire(() => undefined)
    const bad = await send(server.url, { ...get, headers: { authorization: 'Bearer a\r\nx-evil: secret' } })
    expect(bad.kind).toBe('unsent')
    expect(whyOf(bad)).not.toContain('secret')
    expect((await send('no address', get)).kind).toBe('unsent')
    expect((await send('ftp://127.0.0.1', get)).kind).toBe('unsent')
    expect((await send(server.url, get, {}, { proxies: { httpProxy: 'no proxy' } })).kind).toBe('unsent')
    expect(server.received()).toBe('')
  })
})

interface Case {
  readonly url: string
  readonly received?: () => string
  readonly connections?: () => number
  readonly limits?: Partial<SendLimits>
  readonly settings?: TransportSettings
}

/** Speaks no TLS. */
async function bareTls(onConnection: (socket: Socket) => void, limits: Partial<SendLimits> = {}): Promise<Case> {
  const server = await wire(onConnection)
  return { ...server, url: `https://127.0.0.1:${server.port}`, limits }
}

/** Its certificate is trusted. */
async function trustedTls(certificate: ReturnType<typeof selfSigned>): Promise<Case> {
  return { ...(await tlsService(certificate)), settings: { ca: certificate.cert } }
}

describe('nothing left this machine', () => {
  test.each<[string, () => Promise<Case>, RegExp]>([
    ['a port without a listener', async () => ({ url: `http://127.0.0.1:${await freePort()}` }), /ECONNREFUSED/],
    ['an unknown host name', async () => ({ url: 'http://no-such-host.invalid' }), /ENOTFOUND|EAI_AGAIN/],
    ['an untrusted certificate', () => tlsService(selfSigned()), /self.signed/i],
    ['a certificate of another host', () => trustedTls(selfSigned({ host: 'elsewhere.example' })), /./],
    ['a certificate that ran out', () => trustedTls(selfSigned({ days: 0 - 0.5 })), /./],
    ['no TLS', () => bareTls((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n'))), /./],
    ['a handshake that is never answered', () => bareTls(() => undefined, { connectTimeout: 300 }), /./],
    ['an end before the handshake', () => bareTls((socket) => socket.end()), /./],
    ['an end in the handshake', () => bareTls((socket) => socket.once('data', () => socket.destroy())), /./],
  ])('%s: unsent, promptly and after one attempt', async (_what, place, why) => {
    const { url, received = () => '', connections = () => 1, limits = {}, settings = {} } = await place()
    const delivery = await promptly(send(url, post, limits, settings))
    expect(delivery.kind).toBe('unsent')
    expect(whyOf(delivery)).toMatch(why)
    expect(received()).not.toContain('distributor')
    expect(connections()).toBe(1)
  })

  test('a request that is given up before it starts is unsent, and opens no connection', async () => {
    const server = await wire(() => undefined)
    expect((await send(server.url, post, { signal: AbortSignal.abort() })).kind).toBe('unsent')
    expect(server.connections()).toBe(0)
  })

  test.each([false, true])(
    'a handshake that outlasts the time for the answer is unsent, and stays unsent: of the pool %s',
    async (isPooled) => {
      const certificate = selfSigned()
      const server = await tlsService(certificate)
      let line: Socket | undefined
      const slow = await wire((socket) => {
        line = socket
        // A line that delivers half a second late.
        const onward = connect(server.port, '127.0.0.1')
        onward.on('error', () => undefined)
        socket.on('data', (chunk) => setTimeout(() => onward.write(chunk), 500))
        onward.on('data', (chunk) => setTimeout(() => socket.write(chunk), 500))
      })
      const pool = pooledTransport({ ca: certificate.cert }, patient.connectTimeout)
      const limits = { ...patient, answerTimeout: 300, signal: new AbortController().signal, isPooled }
      const delivery = await pool.transport(`https://localhost:${slow.port}`, post, limits)
      expect(delivery).toEqual({ kind: 'unsent', why: 'no answer within 0.3 s' })
      if (isPooled) await wait(2_000)
      else await until('the line is given up', () => line?.destroyed === true)
      await pool.close()
      expect(server.received()).toBe('')
    },
  )
})

describe('certificates', () => {
  test('one authority that is trusted instead of all others is trusted, and no other is', async () => {
    const [own, other] = [selfSigned(), selfSigned()]
    const server = await tlsService(own)
    expect(await send(server.url, post, {}, { authority: own.cert })).toMatchObject({ kind: 'answered' })
    const strange = await tlsService(other)
    const both = { authority: own.cert, ca: other.cert }
    for (const trusted of [{ authority: own.cert }, both]) {
      expect(await send(strange.url, post, {}, trusted)).toMatchObject({ kind: 'unsent' })
    }
    expect(strange.received()).toBe('')
  })

  test('a client certificate is shown to a service that asks for one', async () => {
    const [certificate, client] = [selfSigned(), selfSigned({ host: 'integrator' })]
    let shown: string | undefined
    const asking = { ...certificate, ca: client.cert, requestCert: true, rejectUnauthorized: true }
    const server = await tlsService(asking, (socket) => {
      shown = String(socket.getPeerCertificate().subject?.CN)
      socket.end(ok)
    })
    const settings = { ca: certificate.cert, clientCertificate: client }
    expect(await send(server.url, post, {}, settings)).toMatchObject({ kind: 'answered' })
    expect(shown).toBe('paydesk test integrator')
    expect((await send(server.url, post, {}, { ca: certificate.cert })).kind).not.toBe('answered')
  })
})

describe('the request left and no whole answer came', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  const ends = (text: string) => (socket: Socket) => socket.end(text)

  test.each<[string, (socket: Socket) => void]>([
    ['a reset before the first byte of an answer', (socket) => socket.resetAndDestroy()],
    ['an end before the first byte of an answer', (socket) => socket.end()],
    ['an end in the middle of the head', ends('HTTP/1.1 200 OK\r\ncontent-ty')],
    [
      'a reset after the head',
      (socket) => {
        socket.write(`${head}content-length: 20\r\n\r\n{"a"`)
        setTimeout(() => socket.resetAndDestroy(), 30)
      },
    ],
    ['a body shorter than its length says', ends(`${head}content-length: 20\r\n\r\n{"statusCode":5038}`)],
    ['chunks without an end', ends(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`)],
    ['bytes that are no HTTP', ends('\u0000\u0001garbage\r\n\r\n')],
    ['a length that is no number', ends(`${head}content-length: many\r\n\r\n{}`)],
    ['two lengths that contradict each other', ends(`${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `)],
  ])('%s is unanswered', async (_what, then) => {
    const server = await afterRequest(then)
    const delivery = await send(server.url, post)
    expect(delivery.kind).toBe('unanswered')
    expect(whyOf(delivery)).not.toBe('')
    expect(server.connections()).toBe(1)
    expect(server.received()).toContain('POST /api/distributor')
  })

  test.each<[string, (socket: Socket) => void]>([
    ['no byte', () => undefined],
    ['a head and no body', (socket) => socket.write(`${head}content-length: 20\r\n\r\n`)],
    [
      'a byte now and then',
      (socket) => {
        socket.write(`${head}content-length: 2000\r\n\r\n`)
        const drip = setInterval(() => socket.write(' '), 40)
        socket.on('close', () => clearInterval(drip))
      },
    ],
  ])('a service that sends %s is unanswered when the time for the whole answer is over', async (_what, then) => {
    const server = await afterRequest(then)
    const started = performance.now()
    const delivery = await promptly(send(server.url, post, { answerTimeout: 300 }))
    expect(delivery).toEqual({ kind: 'unanswered', why: 'no answer within 0.3 s' })
    expect(performance.now() - started).toBeGreaterThan(150)
  })

  test('giving up a request that is under way is prompt and unanswered, and leaves no connection behind', async () => {
    const open = new Set<Socket>()
    const stop = new AbortController()
    const server = await wire((socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      socket.once('data', () => stop.abort(new Error('stopped')))
    })
    const delivery = await promptly(send(server.url, post, { signal: stop.signal }))
    expect(delivery).toEqual({ kind: 'unanswered', why: 'stopped' })
    await until('its connection is closed', () => open.size === 0)
    // undici may begin another one for requests that wait: there are none, and it is closed, too.
    await wait(100)
    expect(open.size).toBe(0)
  })

  test('an answer longer than 8 MiB is given up as unanswered, and it is said', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 0x20)
    const server = await afterRequest(async (socket) => {
      socket.write(`${head}content-length: ${9 * megabyte.length}\r\n\r\n`)
      for (let sent = 0; sent < 9 && !socket.destroyed; sent += 1) {
        await new Promise((resolve) => socket.write(megabyte, resolve))
      }
    })
    const delivery = await send(server.url, post)
    expect(delivery).toEqual({ kind: 'unanswered', why: 'the answer has more than 8 MiB' })
  })
})

describe('proxies', () => {
  const certificate = selfSigned()
  const through = ({ url }: Wire): TransportSettings => ({ ca: certificate.cert, proxies: { httpsProxy: url } })

  test('a tunnel carries a request, and the proxy sees nothing of it', async () => {
    const [server, tunnel] = [await tlsService(certificate), await proxy()]
    expect(await send(server.url, post, {}, through(tunnel))).toMatchObject({ kind: 'answered' })
    expect(server.received()).toContain('POST /api/distributor HTTP/1.1')
    expect(tunnel.received()).toMatch(new RegExp(`^CONNECT localhost:${server.port} HTTP/1.1\r\n`))
    expect(tunnel.received()).not.toMatch(/Bearer|distributor/)
  })

  const says = (status: string) => (socket: Socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)

  test.each<[string, (socket: Socket) => void, string?]>([
    ['refuses the tunnel with 403', says('403 Forbidden')],
    ['refuses the tunnel with 502', says('502 Bad Gateway')],
    ['asks who is there', says('407 Proxy Authentication Required')],
    ['hangs up', (socket) => socket.destroy()],
    ['talks nonsense', (socket) => socket.end('nonsense\r\n\r\n')],
    ['redirects', says('302 Found\r\nlocation: http://127.0.0.1/')],
    ['never answers', () => undefined, 'no connection within 0.3 s'],
  ])('a proxy that %s leaves the request unsent', async (_what, onConnect, why) => {
    const [server, tunnel] = [await tlsService(certificate), await proxy(onConnect)]
    const limits = why === undefined ? {} : { connectTimeout: 300 }
    const delivery = await promptly(send(server.url, post, limits, through(tunnel)))
    expect(delivery).toEqual({ kind: 'unsent', why: why ?? expect.stringMatching(/tunnel/i) })
    expect(server.received()).toBe('')
    expect(tunnel.received()).not.toContain('Bearer')
    // The tunnel is asked for once, not over and over.
    expect(tunnel.connections()).toBe(1)
  })

  test('a proxy that is not there leaves the request unsent', async () => {
    const server = await tlsService(certificate)
    const proxies = { httpsProxy: 'http://127.0.0.1:1' }
    expect((await send(server.url, post, {}, { ca: certificate.cert, proxies })).kind).toBe('unsent')
    expect(server.received()).toBe('')
  })

  test('a proxy that never answers is given up promptly on demand, and a tunnel that comes too late carries nothing', async () => {
    const server = await tlsService(certificate)
    const stop = new AbortController()
    let line: Socket | undefined
    const tunnel = await proxy((socket) => {
      line = socket
      stop.abort('SIGINT')
    })
    const delivery = await promptly(send(server.url, post, { signal: stop.signal }, through(tunnel)))
    expect(delivery.kind).toBe('unsent')
    if (line) join(line, server.port, established)
    await until('the tunnel is given up', () => line?.destroyed === true)
    expect(server.received()).toBe('')
  })

  test('a tunnel whose other end hangs up after the request is unanswered', async () => {
    const hanging = await tlsService(certificate, (socket) => socket.on('data', () => socket.destroy()))
    expect((await send(hanging.url, post, {}, through(await proxy()))).kind).toBe('unanswered')
    expect(hanging.received()).toContain('POST /api/distributor')
  })

  test('a host that is excepted is reached directly', async () => {
    const [server, tunnel] = [await tlsService(certificate), await proxy()]
    const settings = { ca: certificate.cert, proxies: { httpsProxy: tunnel.url, noProxy: 'localhost' } }
    expect(await send(server.url, post, {}, settings)).toMatchObject({ kind: 'answered' })
    expect(tunnel.connections()).toBe(0)
  })

  test('a proxy of the process environment is not used unless it is given', async () => {
    const [server, tunnel] = [await tlsService(certificate), await proxy()]
    const plain = await service((_request, response) => response.end('{}'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
      vi.stubEnv(name, tunnel.url)
    expect(await send(server.url, post, {}, { ca: certificate.cert })).toMatchObject({ kind: 'answered' })
    expect(await send(plain, post)).toMatchObject({ kind: 'answered' })
    expect(tunnel.connections()).toBe(0)
  })
})

describe('a connection that stalls before it stands is closed when its request is given up', () => {
  /** A server that says this to the first bytes that come, and nothing more; and when its connection is closed. */
  async function stalling(first = '') {
    let isClosed = false
    const server = await wire((socket) => {
      socket.once('data', () => first !== '' && socket.write(first))
      socket.once('close', () => {
        isClosed = true
      })
    })
    return { ...server, closed: () => promptly(until('its connection is closed', () => isClosed)) }
  }
  const short: Partial<SendLimits> = { answerTimeout: 300 }

  test('in the TLS of a service, on a fresh connection, and on one of a pool that is closed', async () => {
    for (const isPooled of [false, true]) {
      const pool = pooledTransport({}, patient.connectTimeout)
      const server = await stalling()
      const limits = { ...patient, ...short, signal: new AbortController().signal, isPooled }
      const delivery = await pool.transport(`https://127.0.0.1:${server.port}`, post, limits)
      expect(delivery.kind).toBe('unsent')
      await pool.close()
      await server.closed()
    }
  })

  test.each([
    ['in a tunnel', 'http', established],
    ['before the tunnel', 'http', ''],
    ['in the TLS of a proxy', 'https', ''],
  ])('%s', async (_where, scheme, first) => {
    const server = await stalling(first)
    const proxies = { httpsProxy: `${scheme}://127.0.0.1:${server.port}` }
    expect((await send('https://localhost:1', post, short, { proxies })).kind).toBe('unsent')
    await server.closed()
  })
})
