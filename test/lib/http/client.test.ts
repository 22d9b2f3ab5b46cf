import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer, type Server, type Socket } from 'node:net'
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

const get: HttpRequest = { method: 'GET', path: '/api/x', query: [], headers: {}, body: null }
const post: HttpRequest = {
  method: 'POST',
  path: '/api/distributor',
  query: [],
  headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer abc' },
  body: '{"amount":12.50,"description":"ხელფასი"}',
}

async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A service over node:http. */
async function service(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createHttpServer(listener))}`
}

interface Wire {
  readonly url: string
  readonly port: number
  /** Every byte that arrived, of all connections. */
  received(): string
  connections(): number
}

/** A server of bare bytes: what to do with a connection is given. */
async function wire(onConnection: (socket: Socket) => void): Promise<Wire> {
  const chunks: Buffer[] = []
  let connections = 0
  const server = createSocketServer((socket) => {
    connections += 1
    socket.on('data', (chunk) => chunks.push(chunk))
    onConnection(socket)
  })
  const port = await portOf(server)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received: () => Buffer.concat(chunks).toString('utf8'),
    connections: () => connections,
  }
}

/** A server that does something once a request has arrived whole. */
function afterRequest(then: (socket: Socket) => void): Promise<Wire> {
  return wire((socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      const before = text.includes('\r\n\r\n')
      text += chunk
      if (!before && text.includes('\r\n\r\n')) then(socket)
    })
  })
}

async function tlsService(
  options: TlsOptions,
  onConnection?: (socket: TLSSocket) => void,
): Promise<{ readonly url: string; readonly port: number; readonly received: () => string }> {
  let received = ''
  const server = createTlsServer(options, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk
    })
    if (onConnection) onConnection(socket)
    else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
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

async function timed(
  delivery: Promise<Transmission>,
): Promise<{ readonly delivery: Transmission; readonly took: number }> {
  const started = performance.now()
  return { delivery: await delivery, took: performance.now() - started }
}

describe('a whole answer', () => {
  test('status, headers and body arrive as they were sent', async () => {
    const url = await service((_request, response) => {
      response.writeHead(418, { 'Content-Type': 'application/json', 'X-Many': ['a', 'b'] })
      response.end('{"amount":12.50,"name":"ნინო"}')
    })
    const delivery = await send(url)
    expect(delivery).toMatchObject({
      kind: 'answered',
      answer: { status: 418, body: '{"amount":12.50,"name":"ნინო"}' },
    })
    if (delivery.kind !== 'answered') return
    expect(delivery.answer.headers).toMatchObject({ 'content-type': 'application/json', 'x-many': 'a,b' })
    expect(delivery.milliseconds).toBeGreaterThanOrEqual(0)
  })

  test('a letter that is cut between two packets stays one letter', async () => {
    const url = await service(async (_request, response) => {
      const [one, other] = [Buffer.from('ნ').subarray(0, 1), Buffer.from('ნ').subarray(1)]
      response.writeHead(200)
      response.write(one)
      await wait(20)
      response.end(other)
    })
    expect(await send(url)).toMatchObject({ kind: 'answered', answer: { body: 'ნ' } })
  })

  test('interim answers are passed over', async () => {
    const { url } = await afterRequest((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
    )
    expect(await send(url, post)).toMatchObject({ kind: 'answered', answer: { status: 200, body: '{}' } })
  })

  test.each([301, 302, 303, 307, 308])('HTTP %i is an answer and is not followed', async (status) => {
    const elsewhere = await wire(() => undefined)
    const url = await service((_request, response) => {
      response.writeHead(status, { location: `${elsewhere.url}/api/distributor` })
      response.end()
    })
    const delivery = await send(url, post)
    expect(delivery).toMatchObject({
      kind: 'answered',
      answer: { status, headers: { location: `${elsewhere.url}/api/distributor` } },
    })
    expect(elsewhere.connections()).toBe(0)
  })

  test('500 and 503 are answers and are not repeated', async () => {
    let requests = 0
    const url = await service((_request, response) => {
      requests += 1
      response.writeHead(503, { 'retry-after': '0' })
      response.end()
    })
    expect(await send(url, post)).toMatchObject({ kind: 'answered', answer: { status: 503 } })
    expect(await send(url, post)).toMatchObject({ kind: 'answered', answer: { status: 503 } })
    expect(requests).toBe(2)
  })
})

describe('the request', () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

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

  test('a reading has no body and no length', async () => {
    const server = await afterRequest((socket) => socket.end(ok))
    await send(server.url, get)
    expect(server.received()).toMatch(/^GET \/api\/x HTTP\/1\.1\r\n/)
    expect(server.received()).not.toMatch(/content-length|transfer-encoding|content-type/i)
    expect(server.received().endsWith('\r\n\r\n')).toBe(true)
  })

  test('each has a connection of its own, and none is left open', async () => {
    let connections = 0
    const server = createHttpServer((_request, response) => response.end('{}'))
    server.on('connection', () => {
      connections += 1
    })
    const url = `http://127.0.0.1:${await portOf(server)}`
    const transport = freshTransport()
    const limits = { ...patient, signal: new AbortController().signal }
    for (let times = 0; times < 3; times += 1) await transport(url, post, limits)
    expect(connections).toBe(3)
    await vi.waitFor(async () => {
      const open = await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
      expect(open).toBe(0)
    })
  })

  test('something that cannot be a request is unsent, and nothing is thrown', async () => {
    const server = await wire(() => undefined)
    const header = { ...get, headers: { authorization: 'Bearer a\r\nx-evil: secret' } }
    const bad = await send(server.url, header)
    expect(bad.kind).toBe('unsent')
    expect(whyOf(bad)).not.toContain('secret')
    expect((await send('no address', get)).kind).toBe('unsent')
    expect((await send('ftp://127.0.0.1', get)).kind).toBe('unsent')
    expect((await send(server.url, get, {}, { proxies: { httpProxy: 'no proxy' } })).kind).toBe('unsent')
    expect(server.received()).toBe('')
  })
})

describe('nothing left this machine', () => {
  test('a port without a listener is unsent', async () => {
    const delivery = await send(`http://127.0.0.1:${await freePort()}`, post)
    expect(delivery.kind).toBe('unsent')
    expect(whyOf(delivery)).toContain('ECONNREFUSED')
  })

  test('a host name that does not exist is unsent', async () => {
    const delivery = await send('http://no-such-host.invalid', post)
    expect(delivery.kind).toBe('unsent')
    expect(whyOf(delivery)).toMatch(/ENOTFOUND|EAI_AGAIN/)
  })

  test('an untrusted certificate is unsent, and the service sees no request', async () => {
    const server = await tlsService(selfSigned())
    const delivery = await send(server.url, post)
    expect(delivery.kind).toBe('unsent')
    expect(whyOf(delivery)).toMatch(/self.signed/i)
    expect(server.received()).toBe('')
  })

  test('a certificate of another host and one that ran out are unsent, trusted or not', async () => {
    for (const certificate of [selfSigned({ host: 'elsewhere.example' }), selfSigned({ days: 0 - 0.5 })]) {
      const server = await tlsService(certificate)
      const delivery = await send(server.url, post, {}, { ca: certificate.cert })
      expect(delivery.kind).toBe('unsent')
      expect(server.received()).toBe('')
    }
  })

  test('a service that speaks no TLS is unsent', async () => {
    const server = await wire((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    const delivery = await send(`https://127.0.0.1:${server.port}`, post)
    expect(delivery.kind).toBe('unsent')
    expect(server.received()).not.toContain('distributor')
  })

  test('a TLS service that never answers the handshake is unsent when the time to connect is over', async () => {
    const server = await wire(() => undefined)
    const { delivery, took } = await timed(send(`https://127.0.0.1:${server.port}`, post, { connectTimeout: 300 }))
    expect(delivery.kind).toBe('unsent')
    expect(took).toBeLessThan(prompt)
    expect(server.received()).not.toContain('distributor')
  })

  test('a service that hangs up before or during the handshake is unsent, and is called once', async () => {
    for (const then of [
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.once('data', () => socket.destroy()),
    ]) {
      const server = await wire(then)
      const delivery = await send(`https://127.0.0.1:${server.port}`, post)
      expect(delivery.kind).toBe('unsent')
      expect(server.connections()).toBe(1)
    }
  })

  test('a slow service has all the time for its answer, however short the time to connect', async () => {
    const url = await service(async (_request, response) => {
      await wait(2_300)
      response.end('{}')
    })
    expect(await send(url, post, { connectTimeout: 2_000 })).toMatchObject({ kind: 'answered' })
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

  test('a request that is given up before it starts is unsent', async () => {
    const server = await wire(() => undefined)
    const delivery = await send(server.url, post, { signal: AbortSignal.abort() })
    expect(delivery.kind).toBe('unsent')
    expect([server.connections(), server.received()]).toEqual([0, ''])
  })
})

describe('certificates', () => {
  test('a given authority is trusted', async () => {
    const certificate = selfSigned()
    const server = await tlsService(certificate)
    expect(await send(server.url, post, {}, { ca: certificate.cert })).toMatchObject({ kind: 'answered' })
    expect(server.received()).toContain('POST /api/distributor HTTP/1.1')
  })

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
    const server = await tlsService(
      { ...certificate, ca: client.cert, requestCert: true, rejectUnauthorized: true },
      (socket) => {
        shown = String(socket.getPeerCertificate().subject?.CN)
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
      },
    )
    const settings = { ca: certificate.cert, clientCertificate: client }
    expect(await send(server.url, post, {}, settings)).toMatchObject({ kind: 'answered' })
    expect(shown).toBe('paydesk test integrator')
    const without = await send(server.url, post, {}, { ca: certificate.cert })
    expect(without.kind).not.toBe('answered')
  })
})

describe('the request left and no whole answer came', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

  test.each<[string, (socket: Socket) => void]>([
    ['a reset before the first byte of an answer', (socket) => socket.resetAndDestroy()],
    ['an end before the first byte of an answer', (socket) => socket.end()],
    ['an end in the middle of the head', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty')],
    [
      'a reset after the head',
      (socket) => {
        socket.write(`${head}content-length: 20\r\n\r\n{"a"`)
        setTimeout(() => socket.resetAndDestroy(), 30)
      },
    ],
    [
      'a body shorter than its length says',
      (socket) => socket.end(`${head}content-length: 20\r\n\r\n{"statusCode":5038}`),
    ],
    ['chunks without an end', (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`)],
    ['bytes that are no HTTP', (socket) => socket.end('\u0000\u0001garbage\r\n\r\n')],
    ['a length that is no number', (socket) => socket.end(`${head}content-length: many\r\n\r\n{}`)],
    [
      'two lengths that contradict each other',
      (socket) => socket.end(`${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `),
    ],
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
    const { delivery, took } = await timed(send(server.url, post, { answerTimeout: 300 }))
    expect(delivery).toEqual({ kind: 'unanswered', why: 'no answer within 0.3 s' })
    expect(took).toBeGreaterThan(150)
    expect(took).toBeLessThan(prompt)
  })

  test('giving up a request that is under way is prompt and unanswered', async () => {
    const stop = new AbortController()
    const server = await afterRequest(() => stop.abort('SIGINT'))
    const { delivery, took } = await timed(send(server.url, post, { signal: stop.signal }))
    expect(delivery.kind).toBe('unanswered')
    expect(took).toBeLessThan(prompt)
  })

  test('an answer longer than 8 MiB is given up as unanswered, and it is said', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 0x20)
    const server = await afterRequest(async (socket) => {
      socket.write(`${head}content-length: ${9 * megabyte.length}\r\n\r\n`)
      for (let sent = 0; sent < 9 && !socket.destroyed; sent += 1) {
        await new Promise((resolve) => socket.write(megabyte, resolve))
      }
    })
    const delivery = await send(server.url, post, { answerTimeout: 20_000 })
    expect(delivery.kind).toBe('unanswered')
    expect(whyOf(delivery)).toBe('the answer has more than 8 MiB')
  })
})

describe('proxies', () => {
  /** A proxy that joins a tunnel, or does with a CONNECT what it is told. */
  function proxy(onConnect?: (socket: Socket) => void): Promise<Wire> {
    return wire((socket) => {
      socket.once('data', (chunk) => {
        if (onConnect) return onConnect(socket)
        const [, port] = /^CONNECT [^ ]*:(\d+) /.exec(String(chunk)) ?? []
        const onward = connect(Number(port), '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
          socket.pipe(onward).pipe(socket)
        })
        onward.on('error', () => socket.destroy())
      })
    })
  }

  const certificate = selfSigned()
  const through = ({ url }: Wire): TransportSettings => ({ ca: certificate.cert, proxies: { httpsProxy: url } })

  test('a tunnel carries a request, and the proxy sees nothing of it', async () => {
    const [server, tunnel] = [await tlsService(certificate), await proxy()]
    expect(await send(server.url, post, {}, through(tunnel))).toMatchObject({ kind: 'answered' })
    expect(server.received()).toContain('POST /api/distributor HTTP/1.1')
    expect(tunnel.received()).toMatch(new RegExp(`^CONNECT localhost:${server.port} HTTP/1.1\r\n`))
    expect(tunnel.received()).not.toContain('Bearer')
    expect(tunnel.received()).not.toContain('distributor')
  })

  test.each<[string, (socket: Socket) => void]>([
    ['refuses the tunnel with 403', (socket) => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')],
    ['refuses the tunnel with 502', (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')],
    [
      'asks who is there',
      (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'),
    ],
    ['hangs up', (socket) => socket.destroy()],
    ['talks nonsense', (socket) => socket.end('nonsense\r\n\r\n')],
    [
      'redirects',
      (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n'),
    ],
  ])('a proxy that %s leaves the request unsent', async (_what, onConnect) => {
    const [server, tunnel] = [await tlsService(certificate), await proxy(onConnect)]
    const delivery = await send(server.url, post, {}, through(tunnel))
    expect(delivery.kind).toBe('unsent')
    expect(whyOf(delivery)).toMatch(/tunnel/i)
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

  test('a proxy that never answers is given up when the time to connect is over', async () => {
    const [server, tunnel] = [await tlsService(certificate), await proxy(() => undefined)]
    const { delivery, took } = await timed(send(server.url, post, { connectTimeout: 300 }, through(tunnel)))
    expect(delivery).toEqual({ kind: 'unsent', why: 'no connection within 0.3 s' })
    expect(took).toBeLessThan(prompt)
    expect(server.received()).toBe('')
  })

  test('a proxy that never answers is given up promptly on demand, and a tunnel that comes too late carries nothing', async () => {
    const server = await tlsService(certificate)
    let late: (() => void) | undefined
    let line: Socket | undefined
    const tunnel = await proxy((socket) => {
      line = socket
      late = () => {
        const onward = connect(server.port, '127.0.0.1')
        socket.on('close', () => onward.destroy())
        onward.on('error', () => undefined)
        if (!socket.destroyed) socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        socket.pipe(onward).pipe(socket)
      }
      stop.abort('SIGINT')
    })
    const stop = new AbortController()
    const { delivery, took } = await timed(send(server.url, post, { signal: stop.signal }, through(tunnel)))
    expect(delivery.kind).toBe('unsent')
    expect(took).toBeLessThan(prompt)
    late?.()
    await until('the tunnel is given up', () => line?.destroyed === true)
    expect(server.received()).toBe('')
  })

  test('a tunnel whose other end hangs up after the request is unanswered', async () => {
    const [server, tunnel] = [
      await tlsService(certificate, (socket) => socket.on('data', () => socket.destroy())),
      await proxy(),
    ]
    expect((await send(server.url, post, {}, through(tunnel))).kind).toBe('unanswered')
    expect(server.received()).toContain('POST /api/distributor')
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
  /** A server that says this to the first bytes that come, and nothing more; and the closing of its connection. */
  async function stalling(first = '') {
    let closed: () => void = () => undefined
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const server = await wire((socket) => {
      socket.once('data', () => first !== '' && socket.write(first))
      socket.once('close', () => closed())
    })
    return { ...server, isClosed }
  }
  const short: Partial<SendLimits> = { answerTimeout: 300 }

  test('in the TLS of a service, on a fresh connection, and on one of a pool that is closed', async () => {
    for (const isPooled of [false, true]) {
      const pool = pooledTransport({}, patient.connectTimeout)
      const server = await stalling()
      const limits = { ...patient, ...short, signal: new AbortController().signal, isPooled }
      const { delivery } = await timed(pool.transport(`https://127.0.0.1:${server.port}`, post, limits))
      expect(delivery.kind).toBe('unsent')
      await pool.close()
      const { took } = await timed(server.isClosed.then(() => delivery))
      expect(took).toBeLessThan(prompt / 2)
    }
  })

  test.each([
    ['in a tunnel', 'http', 'HTTP/1.1 200 Connection Established\r\n\r\n'],
    ['before the tunnel', 'http', ''],
    ['in the TLS of a proxy', 'https', ''],
  ])('%s', async (_where, scheme, first) => {
    const server = await stalling(first)
    const proxies = { httpsProxy: `${scheme}://127.0.0.1:${server.port}` }
    expect((await send('https://localhost:1', post, short, { proxies })).kind).toBe('unsent')
    const started = performance.now()
    await server.isClosed
    expect(performance.now() - started).toBeLessThan(prompt / 2)
  })
})

test('a request that was given up leaves no connection behind', async () => {
  const sockets = new Set<Socket>()
  const stop = new AbortController()
  const server = await wire((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => stop.abort(new Error('stopped')))
  })
  expect(await send(server.url, post, { signal: stop.signal })).toMatchObject({ why: 'stopped' })
  await until('its connection is closed', () => sockets.size === 0)
  // undici may begin another one for requests that wait: there are none, and it is closed, too.
  await wait(100)
  expect(sockets.size).toBe(0)
})
