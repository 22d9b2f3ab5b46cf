/** Services by hand: real HTTP servers whose answers a test writes itself. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { writeError } from '../../src/lib/client/answer.ts'
import { openRequest, receivedMembers, writeSealedAnswer } from '../../src/lib/client/sealed.ts'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import type { Members } from '../../src/lib/contract/core/members.ts'
import { operations } from '../../src/lib/contract/operations.ts'
import { readPrivateKey, readPublicKey } from '../../src/lib/envelope/key.ts'
import type { Scheme } from '../../src/lib/envelope/scheme.ts'
import type { HttpRequest } from '../../src/lib/http/message.ts'
import { writeJson } from '../../src/lib/json.ts'
import { hurriedClock, impatient } from './clock.ts'
import { keyPair } from './key-pairs.ts'
import { create, type Flags, flags } from './payment.ts'
import { type Ended, newHome, paydesk } from './program.ts'
import { sharedDirectory, temporaryDirectory } from './run/temporary.ts'
import { freePort } from './tools.ts'

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const oid = (...bytes: readonly number[]) => der(0x06, Uint8Array.from(bytes))
const bits = (content: Uint8Array) => der(0x03, Uint8Array.of(0), content)
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

function time(days: number): Buffer {
  const iso = new Date(Date.now() + days * 86_400_000).toISOString()
  return der(0x18, Buffer.from(`${iso.replace(/\D/g, '').slice(0, 14)}Z`))
}

function extension(id: Buffer, content: Buffer): Buffer {
  return sequence(id, der(0x04, content))
}

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate for the host name `localhost` (or another), valid from yesterday for so many days. */
export function selfSigned({
  host = 'localhost',
  days = 2,
}: {
  readonly host?: string
  readonly days?: number
} = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(`paydesk test ${host}`)))))
  const addresses = host === 'localhost' ? [der(0x87, Uint8Array.of(127, 0, 0, 1))] : []
  const subjectAltName = extension(oid(0x55, 0x1d, 0x11), sequence(der(0x82, Buffer.from(host)), ...addresses))
  const basicConstraints = extension(oid(0x55, 0x1d, 0x13), sequence(der(0x01, Uint8Array.of(0xff))))
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(0x40), randomBytes(15)),
    ecdsaWithSha256,
    name,
    sequence(time(-1), time(days)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName, basicConstraints)),
  )
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

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

export interface SealedCall {
  /** Of the operation. */
  readonly name: string
  readonly request: Readonly<Record<string, unknown>>
  /** The number of requests of this operation, this one among them. */
  readonly count: number
}

/** `value` is sealed, and `clear` stands beside its envelope; a code goes out plain. */
export type Said =
  | { readonly value: unknown; readonly status?: number; readonly clear?: Members }
  | { readonly code: number; readonly group?: number }
  | { readonly plain: Reply }
  /** Bytes as they stand, and behind them, so many milliseconds later, the sealed value. */
  | { readonly raw: string; readonly behind: unknown; readonly after: number }

export const handIdentifier = '5c2f7a10-2222-4a11-8c11-000000000201'

export interface SealedByHand extends Pick<ServiceByHand, 'url' | 'seen' | 'stop'> {
  /** The requests, opened. */
  readonly calls: readonly (SealedCall & { readonly text: string })[]
}

function asRequest({ method, path, query, headers, body }: Seen): HttpRequest {
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return {
    ...{ method: method as 'GET', path, body: body === '' ? null : body },
    query: [...new URLSearchParams(query)],
    headers: Object.fromEntries(plain),
  }
}

/** The reply on the wire. */
export function sealedReply(said: Said, own: Parameters<typeof writeSealedAnswer>[1], scheme: Scheme): Reply {
  if ('plain' in said) return said.plain
  if ('raw' in said) {
    const sealed = bytesOf('200 OK', JSON.parse(writeSealedAnswer(said.behind, own, scheme).body))
    const { raw, after } = said
    return after === 0 ? { raw: raw + sealed } : { raw, later: { raw: sealed, after } }
  }
  if ('value' in said) {
    const sealed = writeSealedAnswer(said.value, own, scheme)
    const body = said.clear ? writeJson({ ...(JSON.parse(sealed.body) as object), ...said.clear }) : sealed.body
    return { ...sealed, body, status: said.status ?? 200 }
  }
  const number = (value: number) => new JsonNumber(String(value))
  const group = said.group === undefined ? {} : { exceptionGroup: number(said.group) }
  return writeError(400, { message: `code ${said.code}`, statusCode: number(said.code), ...group })
}

/** Answers as `answering` says. `scheme` is that of requests and answers. */
export async function sealedByHand(
  answering: (call: SealedCall & { readonly text: string }) => Said | Promise<Said>,
  scheme: Scheme = 'rsa-pkcs1',
): Promise<SealedByHand> {
  const key = readPrivateKey(Buffer.from((await keyPair(2048, 0)).privateKey), 'the service')
  const own = readPublicKey(Buffer.from((await keyPair(2048, 1)).publicKey), 'the integrator')
  const calls: (SealedCall & { readonly text: string })[] = []
  const service = await serviceByHand(async (seen) => {
    const operation = operations.find(({ method, path }) => method === seen.method && path === seen.path)
    if (operation?.wire !== 'sealed' && operation?.wire !== 'wallet') return undefined
    const members = receivedMembers(operation, asRequest(seen))
    const opened = members && (await openRequest(operation, members, { key, scheme }))
    if (!opened?.ok) return sealedReply({ code: 6010, group: 6 }, own, scheme)
    const count = calls.filter(({ name }) => name === operation.name).length + 1
    const call = { name: operation.name, request: opened.request, text: opened.text, count }
    calls.push(call)
    return sealedReply(await answering(call), own, scheme)
  })
  return { url: service.url, seen: service.seen, stop: service.stop, calls }
}

/** Adds a profile for it: the wallet's settings, or with `more` others. */
export async function addSealedProfile(home: string, name: string, url: string, more: Flags = {}): Promise<void> {
  const put = (file: string, text: string) => {
    const path = join(home, file)
    writeFileSync(path, `${text}\n`, { mode: 0o600 })
    return path
  }
  const given: Flags = {
    ...{ 'base-url': url, environment: 'test', 'wallet-identifier': handIdentifier },
    'service-public-key': put('service.pub', (await keyPair(2048, 0)).publicKey),
    'private-key': put('own.key', (await keyPair(2048, 1)).privateKey),
    ...more,
  }
  const added = await paydesk(['profile', 'add', name, ...flags(given)], { home })
  if (added.code !== 0) throw new Error(`the profile was not added: ${added.stderr}`)
}

export const handIntegrator = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** A service by hand for orders, with the profile `hand` for it. */
export async function ordersByHand(home: string, answering: Parameters<typeof sealedByHand>[0]): Promise<SealedByHand> {
  const service = await sealedByHand(answering, 'oaep-sha256')
  await addSealedProfile(home, 'hand', service.url, { 'integrator-id': handIntegrator })
  return service
}

export const handOrder = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
export const foreignOrder = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a99'

export interface HandDesk extends Pick<SealedByHand, 'calls' | 'stop'> {
  readonly home: string
  run(...argv: readonly string[]): Promise<Ended>
  /** Lets time pass for the desk. */
  skip(milliseconds: number): void
  /** The machine starts anew; or the home goes on, on another machine of that name, which has been up for so many milliseconds. */
  startAnew(machine?: string, up?: number): void
  /** Sets the clock of the desk ahead, or back: no time passes. */
  set(milliseconds: number): void
  /** The number of requests of an operation. */
  count(operation: string): number
}

/** No definite answer of any kind. */
export const broken: Said = { plain: { status: 502, body: '<html>Bad Gateway</html>' } }

export async function handDesk(answering: (call: SealedCall) => Said | Promise<Said>): Promise<HandDesk> {
  const service = await sealedByHand(answering, 'oaep-sha256')
  const home = newHome()
  await addSealedProfile(home, 'hand', service.url, { 'integrator-id': handIntegrator, 'wallet-scheme': 'aes' })
  const clock = hurriedClock()
  const around = { home, clock, random: impatient }
  return {
    ...{ home, calls: service.calls, stop: service.stop, skip: clock.skip, set: clock.set, startAnew: clock.startAnew },
    run: (...argv) => paydesk([...argv, '-p', 'hand', '--json', '--timeout', '10s'], around),
    count: (operation) => service.calls.filter(({ name }) => name === operation).length,
  }
}

export interface HandPayout {
  readonly home: string
  /** `payout create` of GEL 12.50 under the id `handOrder`. */
  pay(more?: Flags): Promise<Ended>
  run(...argv: readonly string[]): Promise<Ended>
  /** The number of creates. */
  creates(): number
}

export async function handPayout(answering: Answering): Promise<HandPayout> {
  const service = await serviceByHand(answering)
  const home = newHome()
  await addHandProfile(home, service.url)
  const around = { home, clock: hurriedClock(), random: impatient }
  const given = { profile: 'hand', timeout: '10s', 'unique-id': handOrder }
  return {
    home,
    pay: (more = {}) => paydesk([...create({ ...given, ...more }), '--json'], around),
    run: (...argv) => paydesk([...argv, '-p', 'hand', '--json', '--timeout', '10s'], around),
    creates: () => service.creates.length,
  }
}

const qrAddress =
  'https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=5a9db0c0-0321-4a11-8c11-000000000321'

export const createWallet = ['wallet', 'create', '--unique-id', handOrder, '--uri', qrAddress, '--yes']

/** Of 25.00, with the checks of this machine. */
export const finalizeWallet = [
  ...['wallet', 'finalize', '--unique-id', handOrder, '--amount', '25', '--final-status', 'SUCCESS', '--yes'],
]

/** A charge of 12.50, with a card's token in a file of its own. */
export function chargeCard(): readonly string[] {
  const file = join(temporaryDirectory('card'), 'card.token')
  writeFileSync(file, '454d428e-4419-4cee-aa68-eae36cc82c81\n', { mode: 0o600 })
  return [
    ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--integrator-order-id', handOrder],
    ...['--card-token-file', file, '--yes'],
  ]
}

export interface LedgerService {
  readonly service: ServiceByHand
  /** The cents of each id that was executed. */
  readonly executed: ReadonlyMap<string, number>
  /** The times of the executions, in milliseconds. */
  readonly moments: readonly number[]
}

/** `delay`: milliseconds before each answer. */
export async function ledgerService(delay = 0): Promise<LedgerService> {
  const executed = new Map<string, number>()
  const moments: number[] = []
  const service = await serviceByHand(async ({ method, path, body }): Promise<Reply | undefined> => {
    if (method !== 'POST' || path !== '/api/distributor') return undefined
    const { uniqueId, amount } = JSON.parse(body) as { readonly uniqueId: string; readonly amount: number }
    const isKnown = executed.has(uniqueId)
    if (!isKnown) executed.set(uniqueId, Math.round(amount * 100))
    if (!isKnown) moments.push(performance.now())
    const transactionId = executed.size
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    if (isKnown) return json({ statusCode: 5017, message: 'Duplicate', exceptionGroup: 1 }, 400)
    return json({ transactionId, status: 'INITIAL', statusDescription: 'Initial', uniqueId })
  })
  return { service, executed, moments }
}

export interface RawAnswer {
  /** 0 where the connection ended without an answer. */
  readonly status: number
  readonly head: string
  readonly body: string
}

const longestWait = 10_000

/** Sends the lines and the body as they are, and reads until the other end closes. */
export function sendRaw(
  { host = '127.0.0.1', port }: { readonly host?: string; readonly port: number },
  lines: readonly string[],
  body = '',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host)
    const pieces: Buffer[] = []
    socket.setTimeout(longestWait, () => socket.destroy(new Error('no answer')))
    socket.on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`))
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('error', reject)
    socket.on('close', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const at = text.indexOf('\r\n\r\n')
      const head = text.slice(0, at)
      resolve({ status: Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0), head, body: text.slice(at + 4) })
    })
  })
}

export type RawHeaders = Readonly<Record<string, string | readonly string[]>>

/** The lines of a request that closes its connection; a header with a list is sent once for each. */
export function requestLines(start: string, headers: RawHeaders, body = ''): string[] {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}`),
  )
  return [start, ...given, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close']
}
