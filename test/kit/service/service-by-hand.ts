/**
 * A service by hand: a real HTTP server whose answers a test writes itself, for what the sandbox never says
 * (redirects, unknown codes, answers of megabytes) and to see what arrived, byte for byte.
 */
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Flags, flags } from '../payment.ts'
import { paydesk } from '../program/paydesk.ts'
import { freePort } from '../run/free-port.ts'
import { sharedDirectory } from '../run/temporary.ts'
import { selfSigned } from './certificate.ts'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The other end of its connection: requests of one connection have the same. */
  readonly from: number | undefined
}

export type Reply =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  /** Bytes as they stand, more of them some milliseconds later, and then the end of the connection. */
  | {
      readonly raw: string
      readonly isKept?: boolean
      readonly later?: { readonly raw: string; readonly after: number }
    }
  | 'hang'
  | 'reset'

export type Answering = (request: Seen, count: number) => Reply | undefined | Promise<Reply | undefined>

export interface ServiceByHand {
  readonly url: string
  readonly seen: readonly Seen[]
  /** The creates among what was seen. */
  readonly creates: readonly Seen[]
  /** Frees its address: no server listens there from then on. */
  stop(): Promise<void>
}

const selfMade = selfSigned()

/** The file of the certificate that vouches for a service by hand on `localhost`. */
export const certificate = join(sharedDirectory('certificate'), 'localhost.pem')
writeFileSync(certificate, selfMade.cert)

export const handToken = 'token-of-the-service-by-hand'
export const handSecret = 'secret-of-the-service-by-hand'
export const handClient = '11111111-2222-4333-8444-555555555555'

export function json(value: unknown, status = 200): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

/** The bytes of an answer. */
export function bytesOf(status: string, value: unknown, headers = ''): string {
  const body = JSON.stringify(value)
  const length = Buffer.byteLength(body)
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${length}\r\n\r\n${body}`
}

/** The documented answers. */
export function usually(request: Seen): Reply {
  if (request.path === '/api/auth') {
    return json({ value: { access_token: handToken, expires_in: 1800, token_type: 'Bearer' } })
  }
  if (request.method === 'POST' && request.path === '/api/distributor') {
    const { uniqueId } = JSON.parse(request.body) as { uniqueId: string }
    return json({
      transactionId: 4711,
      status: 'INITIAL',
      statusDescription: 'Created',
      uniqueId,
      createdAt: '2026-11-20T10:00:00.123456789',
    })
  }
  if (request.method === 'GET' && request.path === '/api/distributor/balance/check') {
    const currency = new URLSearchParams(request.query).get('currency')
    return json({ value: { amount: 1_000_000, currency } })
  }
  return json({ message: 'There is no such path' }, 404)
}

/** Answers as `answering` says, where it says something; else as documented. `count` counts the requests of a path from 1. */
export async function serviceByHand(answering: Answering = () => undefined, tls = false): Promise<ServiceByHand> {
  const seen: Seen[] = []
  /** Node holds back an answer behind one that was written past it. */
  const byHand = new WeakSet<Socket>()
  const listener: RequestListener = async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    const request: Seen = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.search,
      headers: incoming.headers,
      body: await text(incoming).catch(() => ''),
      from: incoming.socket.remotePort,
    }
    seen.push(request)
    const count = seen.filter(({ path }) => path === request.path).length
    const reply = (await answering(request, count)) ?? usually(request)
    if (reply === 'hang') return
    if (reply === 'reset') {
      incoming.socket.resetAndDestroy()
      return
    }
    if ('raw' in reply) {
      const { raw, later, isKept = false } = reply
      byHand.add(incoming.socket)
      incoming.socket.write(raw)
      if (later) {
        await wait(later.after)
        incoming.socket.write(later.raw)
      }
      if (!isKept) incoming.socket.end()
      return
    }
    const { status = 200, headers, body } = reply
    if (byHand.has(incoming.socket)) {
      const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) })
      incoming.socket.write(
        `HTTP/1.1 ${status} -\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
      )
      if (incoming.headers.connection === 'close') incoming.socket.end()
      return
    }
    outgoing.writeHead(status, { ...headers })
    outgoing.end(body)
  }
  const server = tls ? createTlsServer({ cert: selfMade.cert, key: selfMade.key }, listener) : createServer(listener)
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(stop)
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    stop,
    get creates() {
      return seen.filter(({ method, path }) => method === 'POST' && path === '/api/distributor')
    },
  }
}

/** Adds the profile `hand` for a service by hand. */
export async function addHandProfile(home: string, url: string, more: Flags = {}): Promise<void> {
  const secretFile = join(home, 'hand.secret')
  writeFileSync(secretFile, `${handSecret}\n`, { mode: 0o600 })
  const given = {
    'base-url': url,
    environment: 'test',
    'client-id': handClient,
    'client-secret-file': secretFile,
    ...more,
  }
  const added = await paydesk(['profile', 'add', 'hand', ...flags(given)], { home })
  if (added.code !== 0) throw new Error(`the profile was not added: ${added.stderr}`)
}
