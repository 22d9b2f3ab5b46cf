import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  pooledTransport,
  type SendLimits,
  type Transmission,
  type Transport,
  type TransportSettings,
} from '../../../src/lib/http/client.ts'
import type { HttpRequest } from '../../../src/lib/http/message.ts'
import { freePort, until } from '../../kit/tools.ts'
import { proxy, type Wire, wire } from '../../kit/wire.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{"id":"own"}'

interface Line {
  readonly socket: Socket
  /** Which connection it is, and which request on it, both from 1. */
  readonly connection: number
  readonly request: number
}

/** A server of bare bytes that does something for each request which has arrived whole. */
function serverThat(answers: (line: Line) => void, port = 0): Promise<Wire> {
  return wire((socket, connection) => {
    let request = 0
    socket.on('data', (chunk) => {
      for (const _ of String(chunk).matchAll(/^[A-Z]+ \/\S+ HTTP/gm)) {
        request += 1
        answers({ socket, connection, request })
      }
    })
  }, port)
}

interface Limits extends Partial<SendLimits> {
  readonly isRepeat?: boolean
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
  return transport(url, request, { isPooled: !isRepeat, ...usual })
}

function sender(url: string, settings: TransportSettings = {}) {
  const { transport, close } = pooledTransport(settings, 2_000)
  onTestFinished(close)
  return (name: string, limits: Limits = {}) => sent(transport, url, name, limits)
}

const answered = { kind: 'answered', answer: { status: 200, body: '{"id":"own"}' } }

describe('a connection of the pool is used again', () => {
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
    const { transport, close } = pooledTransport({}, 2_000)
    onTestFinished(close)
    for (const { url } of [one, one, other, other, one]) expect(await sent(transport, url, 'a')).toMatchObject(answered)
    expect([one.connections(), other.connections()]).toEqual([1, 1])
    expect([one.received(), other.received()].map((text) => text.match(/POST/g)?.length)).toEqual([3, 2])
  })

  test('through a proxy as well, a tunnel each', async () => {
    const server = await serverThat(({ socket }) => setTimeout(() => socket.write(ok), 5))
    const tunnels = await proxy()
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

test.each(['directly', 'through a proxy'])(
  'an answer says whether its connection had carried another request: %s',
  async (how) => {
    const server = await serverThat(({ socket }) => socket.write(ok))
    const send = sender(server.url, how === 'directly' ? {} : { proxies: { httpProxy: (await proxy()).url } })
    expect(await send('a')).toMatchObject({ isReused: false })
    expect(await send('b')).toMatchObject({ isReused: true })
    expect(await send('b', { isRepeat: true })).toMatchObject({ isReused: false })
  },
)

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
    for (const name of ['a', 'b', 'c']) expect(await send(name)).toMatchObject({ kind: 'unsent' })
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

test('a request that is given up for an objection, in time or by a signal, never leaves', async () => {
  const server = await serverThat(({ socket }) => socket.write(ok))
  const send = sender(server.url)
  await send('first')
  const late = await send('late', { objection: () => 'the time was over' })
  expect(late).toEqual({ kind: 'unsent', why: 'the time was over' })
  expect(await send('stopped', { signal: AbortSignal.abort() })).toMatchObject({ kind: 'unsent' })
  expect(await send('after')).toMatchObject(answered)
  expect(server.received()).not.toMatch(/late|stopped/)
})
