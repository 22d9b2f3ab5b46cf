import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TransportSettings } from '../../../../src/lib/http/agent.ts'
import { keepingTransport } from '../../../../src/lib/http/kept/keeping.ts'
import type { HttpRequest } from '../../../../src/lib/http/message.ts'
import type { Probe, SendLimits, Transmission, Transport } from '../../../../src/lib/http/transport.ts'
import { freePort } from '../../../kit/run/free-port.ts'
import { until } from '../../../kit/run/until.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{"id":"own"}'

interface Line {
  readonly socket: Socket
  /** Which connection it is, and which request on it, both from 1. */
  readonly connection: number
  readonly request: number
  /** The name of the request; that of a probe is "probe". */
  readonly name: string
}

interface Server {
  readonly url: string
  readonly connections: () => number
  readonly received: () => string
}

/** A server of bare bytes that does something for each request which has arrived whole. */
async function serverThat(answers: (line: Line) => void, port = 0): Promise<Server> {
  let connections = 0
  let received = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    const connection = connections
    let request = 0
    socket.on('data', (chunk) => {
      received += chunk
      for (const [, name = ''] of String(chunk).matchAll(/^[A-Z]+ \/(\S+) HTTP/gm)) {
        request += 1
        answers({ socket, connection, request, name })
      }
    })
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, connections: () => connections, received: () => received }
}

interface Limits extends Partial<SendLimits> {
  readonly isRepeat?: boolean
}

const probed = 'HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{"balance":1}'
const probe: Probe = {
  request: { method: 'GET', path: '/probe', query: [], headers: {}, body: null },
  isAnswer: async ({ body }) => body === '{"balance":1}',
}

function sent(
  transport: Transport,
  url: string,
  name: string,
  { isRepeat = false, ...limits }: Limits = {},
): Promise<Transmission> {
  const request: HttpRequest = { method: 'POST', path: `/${name}`, query: [], headers: {}, body: null }
  const { signal } = new AbortController()
  const usual: SendLimits = { connectTimeout: 2_000, answerTimeout: 5_000, signal, ...limits }
  return transport(url, request, isRepeat ? usual : { shares: { id: 'own', probe }, ...usual })
}

function sender(url: string, settings: TransportSettings = {}) {
  const { transport, close } = keepingTransport(settings, { connectTimeout: 2_000 })
  onTestFinished(close)
  return (name: string, limits: Limits = {}) => sent(transport, url, name, limits)
}

/** A proxy that joins a tunnel to a port of this machine. */
async function tunnelling() {
  let connections = 0
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    socket.once('data', (asked) => {
      connections += 1
      const service = connect(Number(/^CONNECT [^ ]*:(\d+) /.exec(String(asked))?.[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.pipe(service).pipe(socket)
      })
      for (const each of [socket, service]) each.on('error', () => undefined)
      sockets.push(socket, service)
    })
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections }
}

const answered = { kind: 'answered', answer: { status: 200, body: '{"id":"own"}' } }

describe('a connection is kept', () => {
  test('for requests that may share it, and there are no more than asked for', async () => {
    const server = await serverThat(({ socket }) => setTimeout(() => socket.write(ok), 5))
    const send = sender(server.url)
    for (let round = 0; round < 5; round += 1) {
      const all = await Promise.all(['a', 'b', 'c'].map((name) => send(name)))
      expect(all).toMatchObject([answered, answered, answered])
    }
    expect(server.connections()).toBe(3)
  })

  test('and no request waits on it behind another one', async () => {
    let most = 0
    const waiting = new Map<Socket, number>()
    const server = await serverThat(({ socket }) => {
      waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
      most = Math.max(most, ...waiting.values())
      setTimeout(() => {
        waiting.set(socket, (waiting.get(socket) ?? 0) - 1)
        socket.write(ok)
      }, 5)
    })
    const send = sender(server.url)
    await Promise.all(Array.from({ length: 20 }, (_, at) => send(`r${at}`)))
    expect(most).toBe(1)
  })

  test('not for a repeat, which has its own', async () => {
    const server = await serverThat(({ socket }) => socket.write(ok))
    const send = sender(server.url)
    await send('first')
    await send('again', { isRepeat: true })
    await send('third', { isRepeat: true })
    expect(server.connections()).toBe(3)
    await send('fourth')
    expect(server.connections()).toBe(3)
  })

  test('to one service only', async () => {
    const one = await serverThat(({ socket }) => socket.write(ok))
    const other = await serverThat(({ socket }) => socket.write(ok))
    const { transport, close } = keepingTransport({}, { connectTimeout: 2_000 })
    onTestFinished(close)
    for (const { url } of [one, one, other, other, one]) expect(await sent(transport, url, 'a')).toMatchObject(answered)
    expect([one.connections(), other.connections()]).toEqual([2, 1])
    expect([one.received(), other.received()].map((text) => text.match(/POST/g)?.length)).toEqual([3, 2])
  })

  test('through a proxy as well, a tunnel each', async () => {
    const server = await serverThat(({ socket }) => setTimeout(() => socket.write(ok), 5))
    const tunnels = await tunnelling()
    const send = sender(server.url, { proxies: { httpProxy: tunnels.url } })
    for (let round = 0; round < 3; round += 1) {
      expect(await Promise.all(['a', 'b'].map((name) => send(name)))).toMatchObject([answered, answered])
    }
    expect([server.connections(), tunnels.connections()]).toEqual([2, 2])
  })

  test('not when it has rested for a second, or the service will not keep it for two', async () => {
    const server = await serverThat(({ socket }) => socket.write(ok))
    const send = sender(server.url)
    await send('a')
    await wait(1_200)
    expect(await send('b')).toMatchObject(answered)
    expect(server.connections()).toBe(2)
    const hasty = await serverThat(({ socket }) =>
      socket.write(ok.replace('OK\r\n', 'OK\r\nkeep-alive: timeout=1\r\n')),
    )
    const toHasty = sender(hasty.url)
    for (const name of ['a', 'b']) expect(await toHasty(name)).toMatchObject(answered)
    expect(hasty.connections()).toBe(2)
  })
})

describe('an answer that does not say whose it is', () => {
  const refused = 'HTTP/1.1 400 No\r\ncontent-length: 31\r\n\r\n{"id":"own","statusCode":5023 }'

  const busy = 'HTTP/1.1 429 Busy\r\ncontent-length: 4\r\n\r\nbusy'

  const shapes = [
    ['a refusal', refused],
    ['a refusal with 200', refused.replace('400 No', '200 OK')],
    ['an answer without an id', ok.replace('"own"', '"abc"')],
    ['an answer with a longer id', ok.replace('12', '14').replace('"own"', '"own-1"')],
  ] as const

  test.each(shapes)('ends its connection: %s is believed once the probe behind it is answered', async (_, first) => {
    const server = await serverThat(({ socket, name }) => (name === 'probe' ? socket.end(probed) : socket.write(first)))
    const send = sender(server.url)
    for (const name of ['a', 'b']) {
      expect(await send(name)).toMatchObject({ kind: 'answered', answer: { body: first.split('\r\n\r\n')[1] } })
    }
    expect(server.connections()).toBe(2)
    expect(server.received().match(/^[A-Z]+ \S+/gm)).toEqual(['POST /a', 'GET /probe', 'POST /b', 'GET /probe'])
    // The probe is the last request of its connection.
    expect(
      server
        .received()
        .match(/^connection: .*/gim)
        ?.map((line) => line.toLowerCase()),
    ).toEqual([...['connection: keep-alive', 'connection: close', 'connection: keep-alive', 'connection: close']])
  })

  test('is believed after a second when nothing follows that of the probe, and the connection stays', async () => {
    const server = await serverThat(({ socket, name }) => socket.write(name === 'probe' ? probed : refused))
    const before = performance.now()
    expect(await sender(server.url)('a')).toMatchObject({ kind: 'answered', answer: { status: 400 } })
    expect(performance.now() - before).toBeGreaterThanOrEqual(999)
  })

  test.each(shapes)('is none where the own one comes behind that of the probe: %s', async (_, first) => {
    // With the answer of the probe, or behind it.
    for (const late of [0, 20, 700]) {
      const server = await serverThat(async ({ socket, name }) => {
        if (name !== 'probe') return socket.write(first)
        socket.write(late === 0 ? probed + ok : probed)
        return wait(late).then(() => late > 0 && socket.end(ok))
      })
      expect(await sender(server.url)('a'), `${late} ms`).toMatchObject({ kind: 'unanswered' })
    }
  })

  test('is none where it and the probe are turned away alike, and the own one comes behind them', async () => {
    // All are in order where the service had the request three times; the probe may be turned away like the first.
    for (const behind of [ok, ok + probed]) {
      for (const late of [0, 20]) {
        const server = await serverThat(async ({ socket, name }) => {
          if (name !== 'probe') return socket.write(busy)
          socket.write(late === 0 ? busy + behind : busy)
          return wait(late).then(() => late > 0 && socket.write(behind))
        })
        expect(await sender(server.url)('a'), `${late} ms`).toMatchObject({ kind: 'unanswered' })
      }
    }
  })

  test('is none where somebody stops the process while it listens behind the probe', async () => {
    const stopped = new AbortController()
    const server = await serverThat(({ socket, name }) => {
      socket.write(name === 'probe' ? probed : refused)
      if (name === 'probe') setTimeout(() => stopped.abort(), 100)
    })
    expect(await sender(server.url)('a', { signal: stopped.signal })).toMatchObject({ kind: 'unanswered' })
  })

  test('is none where nobody can say whose the answer of the probe is', async () => {
    const server = await serverThat(({ socket, name }) => socket.write(name === 'probe' ? probed : refused))
    const isAnswer = () => Promise.reject(new Error('it cannot be read'))
    const limits = { shares: { id: 'own', probe: { ...probe, isAnswer } } }
    expect(await sender(server.url)('a', limits)).toMatchObject({ kind: 'unanswered' })
  })

  test.each(shapes)('is none where its request has another one: %s, and the own one behind it', async (_, first) => {
    // The own answer comes at once, with the answer of the probe, or before it and long after.
    for (const late of [0, 20, 700]) {
      const waiting = new Map<Socket, Promise<unknown>>()
      const server = await serverThat(async ({ socket, name, request }) => {
        if (name === 'probe') {
          await waiting.get(socket)
          socket.write(probed)
        } else if (request === 1) socket.write(ok)
        else {
          socket.write(late === 0 ? first + ok : first)
          if (late > 0)
            waiting.set(
              socket,
              wait(late).then(() => socket.write(ok)),
            )
        }
      })
      const send = sender(server.url)
      expect(await send('a')).toMatchObject(answered)
      expect(await send('b'), `${late} ms`).toMatchObject({ kind: 'unanswered', why: expect.stringMatching(/whose/) })
      // From then on each has its own.
      expect(await send('c')).toMatchObject(answered)
      expect(await send('d')).toMatchObject(answered)
      // A connection that has said too much is ended: then the probe has one of its own, and proves nothing.
      expect(server.connections()).toBe(late === 0 ? 4 : 3)
    }
  })

  test('is none where the connection ends before the probe is answered', async () => {
    const server = await serverThat(({ socket, name }) => (name === 'probe' ? socket.destroy() : socket.write(refused)))
    expect(await sender(server.url)('a')).toMatchObject({ kind: 'unanswered' })
    const closed = refused.replace('No\r\n', 'No\r\nconnection: close\r\n')
    const hasty = await serverThat(({ socket, name }) => socket.write(name === 'probe' ? probed : closed))
    // The probe would have a connection of its own, and says nothing about the first.
    expect(await sender(hasty.url)('a')).toMatchObject({ kind: 'unanswered' })
  })

  test('is believed where the probe is turned away in the same words, and in no others', async () => {
    const same = await serverThat(({ socket, name }) => (name === 'probe' ? socket.end(busy) : socket.write(busy)))
    expect(await sender(same.url)('a')).toMatchObject({ kind: 'answered', answer: { status: 429 } })
    for (const other of [busy.replace('busy', 'idle'), busy.replace('429', '401'), ok]) {
      const server = await serverThat(({ socket, name }) => socket.write(name === 'probe' ? other : busy))
      expect(await sender(server.url)('a')).toMatchObject({ kind: 'unanswered' })
    }
    const refusing = await serverThat(({ socket }) => socket.write(refused))
    expect(await sender(refusing.url)('a')).toMatchObject({ kind: 'unanswered' })
  })

  test('without a probe it is believed on the first connection only', async () => {
    const server = await serverThat(({ socket, name }) => socket.write(name === 'b' ? refused : ok))
    const send = sender(server.url)
    const alone = { shares: { id: 'own', probe: null } }
    expect(await send('b', alone)).toMatchObject({ kind: 'answered' })
    expect(await send('a', alone)).toMatchObject(answered)
    expect(await send('b', alone)).toMatchObject({ kind: 'unanswered' })
  })
})

describe('a connection that ends', () => {
  test('behind an answer that says so is not used again', async () => {
    const server = await serverThat(({ socket }) => socket.end(ok.replace('OK\r\n', 'OK\r\nconnection: close\r\n')))
    const send = sender(server.url)
    for (const name of ['a', 'b', 'c', 'd']) expect(await send(name)).toMatchObject(answered)
    expect(server.connections()).toBe(4)
  })

  test('behind an answer that does not say so takes one request with it at most', async () => {
    const server = await serverThat(({ socket }) => socket.end(ok))
    const send = sender(server.url)
    const ends: Transmission[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ends.push(await send(name))
    expect(ends.filter(({ kind }) => kind === 'unanswered').length).toBeLessThanOrEqual(1)
    expect(ends.slice(2)).toMatchObject([answered, answered, answered, answered])
  })

  test('while it rests is not used again', async () => {
    const server = await serverThat(({ socket }) => {
      socket.write(ok)
      setTimeout(() => socket.destroy(), 20)
    })
    const send = sender(server.url)
    for (const name of ['a', 'b', 'c']) {
      expect(await send(name)).toMatchObject(answered)
      await wait(60)
    }
    expect(server.connections()).toBe(3)
  })

  test('under a request leaves it unanswered, and the request is sent once', async () => {
    const server = await serverThat(({ socket, request }) => (request === 1 ? socket.write(ok) : socket.destroy()))
    const send = sender(server.url)
    expect(await send('first')).toMatchObject(answered)
    expect(await send('second')).toMatchObject({ kind: 'unanswered' })
    // None is kept from then on: it would happen to every second request.
    for (const name of ['third', 'fourth', 'fifth']) expect(await send(name)).toMatchObject(answered)
    expect(server.received().split('POST /second ')).toHaveLength(2)
  })

  test('with a port nobody listens on is unsent, and one that listens later is found', async () => {
    const port = await freePort()
    const send = sender(`http://127.0.0.1:${port}`)
    const none = await Promise.all([send('a'), send('b'), send('c')])
    expect(none.map(({ kind }) => kind)).toEqual(['unsent', 'unsent', 'unsent'])
    const server = await serverThat(({ socket }) => socket.write(ok), port)
    expect(await send('d')).toMatchObject(answered)
    expect(server.received()).not.toMatch(/\/[abc] /)
  })
})

describe('an answer belongs to its request', () => {
  test('one that comes too late is nobody else’s', async () => {
    let first: Socket | undefined
    const server = await serverThat(({ socket, connection }) => {
      if (connection > 1) return socket.write(ok)
      first = socket
      setTimeout(() => socket.write(ok), 150)
    })
    const send = sender(server.url)
    expect(await send('slow', { answerTimeout: 50 })).toEqual({ kind: 'unanswered', why: 'no answer within 0.05 s' })
    expect(await send('next')).toMatchObject(answered)
    await until('the late answer has come', () => first?.destroyed === true || (first?.bytesWritten ?? 0) > 0)
    expect(await send('last')).toMatchObject(answered)
  })

  test('one that nobody asked for ends its connection', async () => {
    const server = await serverThat(({ socket, connection }) => {
      socket.write(ok)
      if (connection === 1) setTimeout(() => socket.write(ok.replace('{}', '[]')), 20)
    })
    const send = sender(server.url)
    expect(await send('first')).toMatchObject(answered)
    await wait(60)
    expect(await send('second')).toMatchObject(answered)
    expect(server.connections()).toBe(2)
  })
})

describe('what is given up', () => {
  test('for an objection, in time or by a signal, never leaves', async () => {
    const server = await serverThat(({ socket }) => socket.write(ok))
    const send = sender(server.url)
    await send('first')
    expect(await send('late', { objection: () => 'the time was over' })).toEqual({
      kind: 'unsent',
      why: 'the time was over',
    })
    expect(await send('stopped', { signal: AbortSignal.abort() })).toMatchObject({ kind: 'unsent' })
    expect(await send('after')).toMatchObject(answered)
    expect(server.received()).not.toMatch(/late|stopped/)
  })
})
