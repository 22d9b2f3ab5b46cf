/** Callbacks: a listener in this process, programs that take them, and a sandbox whose courier brings them. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { open, seal } from '../../src/lib/envelope/envelope.ts'
import { readMembers, writeMembers } from '../../src/lib/envelope/layout.ts'
import type { Scheme } from '../../src/lib/envelope/scheme.ts'
import { freshTransport } from '../../src/lib/http/client.ts'
import { isRecord, readJson } from '../../src/lib/json.ts'
import type { Attempted } from '../../src/lib/sandbox/courier.ts'
import type { Sandbox } from '../../src/lib/sandbox/sandbox.ts'
import { watchedNaps } from './clock.ts'
import type { Pair } from './envelope.ts'
import { type Ended, paydesk, type Surroundings } from './program.ts'
import { type Fields, type Integrator, integratorNamed } from './sandbox/integrator.ts'
import { handClock, memorySandbox, served } from './sandbox/stand.ts'
import { freePort, until } from './tools.ts'

/** The whole body of a request; null where the other side broke off before its end, as a process that is killed does. */
export async function bodyOf(incoming: IncomingMessage): Promise<Buffer | null> {
  return await buffer(incoming).catch(() => null)
}

export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An HTTP status, with a place to go to if it is one, and words of its own; or no answer at all. */
export type Reply = number | { readonly status: number; readonly body: string } | 'hang' | 'reset'

export async function receiver(reply: (arrived: Arrived, count: number) => Reply | Promise<Reply> = () => 200) {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (!body) return
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: String(body) }
    arrived.push(one)
    const said = await reply(one, arrived.length)
    if (said === 'hang') return
    if (said === 'reset') request.socket.destroy()
    else {
      const { status, body: words } = typeof said === 'number' ? { status: said, body: 'thank you' } : said
      response.writeHead(status, { location: '/elsewhere' }).end(words)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url, arrived, came: (count: number) => until(`${count} came`, () => arrived.length >= count, 10_000) },
    get last(): Arrived {
      const one = arrived.at(-1)
      if (!one) throw new Error('nothing came')
      return one
    },
  }
}

/** The content of a callback: opened with the integrator's own key, or as it is. */
export async function read({ body }: Arrived, { party }: Integrator): Promise<Record<string, unknown>> {
  const members = readJson(body)
  if (!isRecord(members)) throw new Error('no object')
  const layout = readMembers(members)
  if (!layout.ok) return JSON.parse(body) as Record<string, unknown>
  const { own, scheme } = party
  return JSON.parse(await open(layout.envelope, { key: own, scheme })) as Record<string, unknown>
}

/** Sends what is due until the test ends, or until it is closed. */
export function courierOf(sandbox: Sandbox) {
  const attempts: Attempted[] = []
  const courier = sandbox.callbacks.courier({
    transport: freshTransport(),
    onAttempt: (attempted) => attempts.push(attempted),
  })
  onTestFinished(() => courier.close())
  return { ...courier, attempts }
}

/** A sandbox in memory whose clock stands still until it is moved, though the courier does not. */
export async function desk(name?: string) {
  const hand = handClock()
  const clock = watchedNaps(hand)
  const sandbox = await memorySandbox(clock)
  const { url } = await served(sandbox)
  const us = await integratorNamed(sandbox, url, name)
  const list = async (order?: string) => await sandbox.callbacks.list(order)
  return {
    ...{ clock: hand, looks: clock.looks, sandbox, us, list },
    /** An order that was paid, or was to be. */
    paid: async (fields: Fields, card?: string) => {
      const order = await us.created(fields)
      await sandbox.trigger({ what: 'paid', order, card })
      return order
    },
  }
}

export const orderId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const token = '3b7c1f1a-0000-4000-8000-00000000beef'

export const payment = {
  amount: 12.5,
  receiverId: '5c2f7a10-1111-4a11-8c11-000000000101',
  receiverType: 'BRANCH',
  integratorId: '5c2f7a10-2222-4a11-8c11-000000000201',
  integratorOrderId: orderId,
  status: 'SUCCESS',
  initialCurrency: 'GEL',
  acquiringCurrency: 'GEL',
  acquiringAmount: 12.5,
  transactionId: '900719',
  toIban: 'GE29NB0000000101904917',
  cardInfo: {
    token,
    provider: 'BOG',
    cardMask: '411111******1111',
    expirationDate: '12/29',
    cardBrand: 'VISA',
  },
}

export const subscription = { subscriptionId: 'sub-1', historyId: 'h-1', status: 'COMPLETED', amount: 5 }

export function sealed(value: unknown, pair: Pick<Pair, 'publicKey'>, scheme: Scheme = 'oaep-sha256'): string {
  return JSON.stringify(writeMembers(seal(JSON.stringify(value), { key: pair.publicKey, scheme })))
}

export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

export interface Listener {
  readonly url: string
  /** ^C; gives back what it printed. */
  stop(): Promise<Ended>
}

/** `callback listen` with these flags. */
export async function listening(around: Surroundings, ...more: readonly string[]): Promise<Listener> {
  const port = await freePort()
  let stop: (signal: 'SIGINT') => void = () => undefined
  const signals = (send: typeof stop) => {
    stop = send
  }
  let over = false
  const ended = paydesk(['callback', 'listen', '--port', String(port), ...more], { ...around, signals }).finally(() => {
    over = true
  })
  await until('it listens', async () => over || (await answers(port)))
  if (over) throw new Error(`the listener ended: ${(await ended).stderr}`)
  const end = () => {
    stop('SIGINT')
    return ended
  }
  onTestFinished(async () => void (await end()))
  return { url: `http://127.0.0.1:${port}/callback`, stop: end }
}

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<number> {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const answer = await fetch(url, {
    method: 'POST',
    body: bytes as string,
    headers: { 'content-type': 'application/json', ...headers },
  })
  await answer.arrayBuffer()
  return answer.status
}

/** The JSON lines that a listener printed. */
export function linesOf({ stdout }: Ended): readonly Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

export interface Taken {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface Program {
  readonly url: string
  readonly taken: readonly Taken[]
  close(): Promise<void>
}

/** A program that takes callbacks; `answer` gives the status of each, `reset` breaks off, `hang` never says a word. */
export async function program(
  answer: (taken: Taken, count: number) => number | 'reset' | 'hang' = () => 200,
  given?: number,
  words?: string,
): Promise<Program> {
  const taken: Taken[] = []
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const body = await bodyOf(incoming)
    if (!body) return
    const one = { method, url, headers, body }
    taken.push(one)
    const status = answer(one, taken.length)
    if (status === 'reset') incoming.socket.resetAndDestroy()
    else if (status !== 'hang') outgoing.writeHead(status).end(words ?? `said ${status}`)
  })
  const port = given ?? (await freePort())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}/hook`, taken, close }
}

const rows = z.array(z.record(z.string(), z.unknown()))

export async function listed(home: string, ...more: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  return rows.parse((await paydesk(['callback', 'list', '--json', ...more], { home })).json)
}
