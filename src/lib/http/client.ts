/**
 * The HTTP client, over undici: one request, one answer. No redirect is followed and nothing repeated here: that is a
 * decision about money. "unsent" is said only if the request was never handed to a connected socket.
 */
import { subscribe } from 'node:diagnostics_channel'
import { EventEmitter, setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connect, rootCertificates } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { largestBody, withoutEnd } from '../text.ts'
import { explain } from './explain.ts'
import { type HttpAnswer, type HttpRequest, target } from './message.ts'

export interface TransportSettings {
  /** PEM, to trust besides those of Node. */
  readonly ca?: string
  /** PEM, to trust instead of all others. */
  readonly authority?: string
  readonly clientCertificate?: { readonly cert: string; readonly key: string }
  /** http_proxy, https_proxy, no_proxy. */
  readonly proxies?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string }
}

export interface SendLimits {
  /** Milliseconds, TLS included. */
  readonly connectTimeout: number
  /** Milliseconds until the whole answer must be there, from the start. */
  readonly answerTimeout: number
  readonly signal: AbortSignal
  /** Asked right before the first byte: why nothing may leave any more. */
  readonly objection?: () => string | null
  /** True if a connection that carried other requests will do. */
  readonly isPooled?: boolean
}

/** Milliseconds; null where it was not seen. */
export interface Phases {
  readonly dns: number | null
  /** Without TLS. */
  readonly tcp: number | null
  readonly tls: number | null
  /** From the request that left. */
  readonly firstByte: number | null
  readonly rest: number | null
}

export type Transmission =
  | {
      readonly kind: 'answered'
      readonly answer: HttpAnswer
      readonly milliseconds: number
      readonly phases?: Phases
      /** The connection had carried another request. */
      readonly isReused?: boolean
    }
  /** Not a byte of the request left. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The request left, in whole or in part, and no whole answer came. */
  | { readonly kind: 'unanswered'; readonly why: string }

/** Never throws: what happened is in the Transmission. */
export type Transport = (baseUrl: string, request: HttpRequest, limits: SendLimits) => Promise<Transmission>

/** Another program's request, passed on to the byte. */
export interface ForeignRequest {
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** Never throws. */
export type Relay = (address: URL, request: ForeignRequest, limits: SendLimits) => Promise<Transmission>

/** Opens a connection for each request. */
export function freshTransport(settings: TransportSettings = {}): Transport {
  return (baseUrl, request, limits) =>
    sendFresh(settings, () => joinUrl(baseUrl, request), { ...outgoingOf(request), reset: true }, limits)
}

export function freshRelay(settings: TransportSettings = {}): Relay {
  return (address, { method, headers, body }, limits) =>
    sendFresh(settings, () => address, { method: method as 'POST', headers: headers.flat(), body }, limits)
}

/**
 * A request that meets the end of a connection may be executed or not. So one is kept for less than services keep it
 * (Node 5 s, nginx 75 s) or announce.
 */
const keepAlive = { keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000, keepAliveTimeoutThreshold: 2_000 }

/**
 * A connection pool, for requests that may share one; every other gets a fresh connection. After a request of the pool
 * got no answer the pool is used no more: a service that closes connections without saying so would do it again.
 */
export function pooledTransport(settings: TransportSettings, connectTimeout: number) {
  const fresh = freshTransport(settings)
  const pool = openDispatcher(settings, connectTimeout, keepAlive)
  let isUsable = true
  const transport: Transport = async (baseUrl, request, limits) => {
    if (!limits.isPooled || !isUsable) return fresh(baseUrl, request, limits)
    try {
      const transmission = await send(pool.dispatcher, joinUrl(baseUrl, request), outgoingOf(request), limits)
      if (transmission.kind === 'unanswered') isUsable = false
      // undici frees a connection for the next request two turns of the event loop behind its answer.
      await nextTurn()
      await nextTurn()
      return transmission
    } catch (error) {
      return { kind: 'unsent', why: explain(error) }
    }
  }
  return { transport, close: async () => pool.end() }
}

function joinUrl(baseUrl: string, request: HttpRequest): URL {
  return new URL(withoutEnd(baseUrl, '/') + target(request))
}

type Outgoing = Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body' | 'reset'>

function outgoingOf({ method, headers, body }: HttpRequest): Outgoing {
  return { method, headers: { 'user-agent': 'paydesk', ...headers }, body }
}

async function sendFresh(
  settings: TransportSettings,
  address: () => URL,
  outgoing: Outgoing,
  limits: SendLimits,
): Promise<Transmission> {
  let opened: ReturnType<typeof openDispatcher> | undefined
  try {
    opened = openDispatcher(settings, limits.connectTimeout, { connections: 1, keepAliveTimeout: 1 })
    const transmission = await send(opened.dispatcher, address(), outgoing, limits)
    if (transmission.kind !== 'answered' || !transmission.phases) return transmission
    return { ...transmission, phases: { ...transmission.phases, ...opened.phases() } }
  } catch (error) {
    return { kind: 'unsent', why: explain(error) }
  } finally {
    opened?.end()
  }
}

export function trusted({ ca, authority }: TransportSettings): { readonly ca?: string[] } {
  if (authority !== undefined) return { ca: [authority] }
  return ca ? { ca: [...rootCertificates, ca] } : {}
}

/** `end` hangs up, also what does not stand yet. */
function openDispatcher(settings: TransportSettings, connectTimeout: number, keeping: EnvHttpProxyAgent.Options) {
  compileParserLater()
  const ending = new AbortController()
  // Each connection of a pool listens to it.
  setMaxListeners(0, ending.signal)
  // undici lets go only of connections that stand: the signal ends those that stall in their TLS.
  const tcp = { timeout: connectTimeout, signal: ending.signal }
  const tls = { ...tcp, ...trusted(settings), ...settings.clientCertificate }
  const { connect, phases } = watchConnecting(buildConnector(tls))
  const { httpProxy, httpsProxy, noProxy } = settings.proxies ?? {}
  const dispatcher = new EnvHttpProxyAgent({
    ...keeping,
    // A second request behind an unanswered one would share its fate.
    pipelining: 1,
    allowH2: false,
    maxResponseSize: largestBody,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect,
    requestTls: tls,
    proxyTls: tcp,
    clientFactory: (proxy: URL, options: Pool.Options) => withFinalErrors(new Pool(proxy, options)),
    // Given here even when empty: left out, undici would read the process environment by itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  })
  const end = () => {
    dispatcher.destroy().catch(() => undefined)
    ending.abort(new Error('it was given up'))
  }
  return { dispatcher, phases, end }
}

/**
 * undici takes a proxy that hangs up (UND_ERR_SOCKET) for a passing mishap and asks again, thousands of times a second;
 * an error without that code is final.
 */
function withFinalErrors(pool: Pool): Pool {
  const connect: (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = pool.connect.bind(pool)
  const connectOnce = (options: Dispatcher.ConnectOptions) =>
    connect(options).catch((error: unknown) => {
      throw new Error(`no tunnel through the proxy: ${explain(error)}`, { cause: error })
    })
  return Object.assign(pool, { connect: connectOnce })
}

/**
 * undici's parser is WebAssembly, which Node 20 compiles anew within the first answer, for a tenth of a second. Node 22
 * begins after some two hundred answers.
 */
function compileParserLater(): void {
  if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--wasm-tiering-budget=500000000')
}

/** The connector, and what its last connection took. */
function watchConnecting(connect: buildConnector.connector) {
  let last: { lookup?: number; connect?: number; secureConnect?: number } = {}
  const watched: buildConnector.connector = (wanted, done) => {
    const started = performance.now()
    const socket: unknown = connect(wanted, done)
    const own: typeof last = {}
    last = own
    if (!(socket instanceof EventEmitter)) return
    for (const moment of ['lookup', 'connect', 'secureConnect'] as const) {
      socket.once(moment, () => {
        own[moment] = performance.now() - started
      })
    }
  }
  const phases = () => {
    const { lookup: dns = null, connect: connected = null, secureConnect: secured = null } = last
    const tcp = connected === null ? null : connected - (dns ?? 0)
    return { dns, tcp, tls: connected === null || secured === null ? null : secured - connected }
  }
  return { connect: watched, phases }
}

/** undici tells the socket of a request on this channel alone, in the tick of `onRequestStart`. */
let starting: Sending | null = null
const usedSockets = new WeakSet<Socket>()
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket }
  // Others ask a proxy for a tunnel.
  if (starting === null) return
  starting.isReused = usedSockets.has(socket)
  usedSockets.add(socket)
  starting = null
})

/** One request: carried at most once, given up at its time. */
class Sending implements Dispatcher.DispatchHandler {
  isReused = false
  readonly #limits: SendLimits
  readonly #tell: (transmission: Transmission) => void
  readonly #started = performance.now()
  readonly #unconnected: NodeJS.Timeout
  readonly #late: NodeJS.Timeout
  readonly #stopped: () => void
  readonly #pieces: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #hasLeft = false
  #left = 0
  #firstByte = 0
  #isOver = false
  #status = 0
  #headers: Readonly<Record<string, string>> = {}

  constructor(limits: SendLimits, tell: (transmission: Transmission) => void) {
    const { connectTimeout, answerTimeout, signal } = limits
    this.#limits = limits
    this.#tell = tell
    // undici's own limits do not cover what a proxy takes to answer.
    this.#unconnected = setTimeout(() => this.giveUp(`no connection within ${connectTimeout / 1000} s`), connectTimeout)
    this.#late = setTimeout(() => this.giveUp(`no answer within ${answerTimeout / 1000} s`), answerTimeout)
    this.#stopped = () => this.giveUp(explain(signal.reason))
    signal.addEventListener('abort', this.#stopped, { once: true })
  }

  /** Nothing that was given up leaves a queue of undici. */
  giveUp(why: string): void {
    this.#fail(why)
    this.#controller?.abort(new Error(why))
  }

  /** On a connected socket (through a proxy: in the tunnel). */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    const why = this.#isOver ? 'it was given up' : (this.#limits.objection?.() ?? null)
    if (why !== null) {
      this.giveUp(why)
      return
    }
    starting = this
    this.#hasLeft = true
    this.#left = performance.now()
    clearTimeout(this.#unconnected)
  }

  onResponseStart(_controller: unknown, status: number, headers: Readonly<Record<string, unknown>>): void {
    // An interim answer is none.
    if (status < 200) return
    this.#firstByte = performance.now()
    this.#status = status
    this.#headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  }

  onResponseData(_controller: unknown, piece: Buffer): void {
    this.#pieces.push(piece)
  }

  onResponseEnd(): void {
    const answer: HttpAnswer = { status: this.#status, headers: this.#headers, body: textOf(this.#pieces) }
    const now = performance.now()
    const [firstByte, rest] = [this.#firstByte - this.#left, now - this.#firstByte]
    const phases = { dns: null, tcp: null, tls: null, firstByte, rest }
    const milliseconds = Math.round(now - this.#started)
    this.#end({ kind: 'answered', answer, milliseconds, phases, isReused: this.isReused })
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(explain(error))
  }

  #fail(why: string): void {
    this.#end({ kind: this.#hasLeft ? 'unanswered' : 'unsent', why })
  }

  #end(transmission: Transmission): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#unconnected)
    clearTimeout(this.#late)
    this.#limits.signal.removeEventListener('abort', this.#stopped)
    this.#tell(transmission)
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

function textOf(pieces: readonly Buffer[]): string {
  const whole = Buffer.concat(pieces)
  const isMarked = whole.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  return whole.toString('utf8', isMarked ? byteOrderMark.length : 0)
}

/** Never throws: what happened is in the Transmission. */
function send(dispatcher: Dispatcher, address: URL, outgoing: Outgoing, limits: SendLimits): Promise<Transmission> {
  return new Promise((resolve) => {
    const sending = new Sending(limits, resolve)
    try {
      limits.signal.throwIfAborted()
      dispatcher.dispatch(
        { ...outgoing, origin: address.origin, path: `${address.pathname}${address.search}` },
        sending,
      )
    } catch (error) {
      sending.giveUp(explain(error))
    }
  })
}

export interface ShownCertificate {
  readonly protocol: string
  /** Null where it is trusted. */
  readonly complaint: string | null
  /** Milliseconds since 1970; NaN where it does not say. */
  readonly validTo: number
}

/** Null without a connection in that time. Sends nothing but a greeting. */
export function shownCertificate(
  address: URL,
  settings: TransportSettings,
  milliseconds: number,
): Promise<ShownCertificate | null> {
  return new Promise((resolve) => {
    const host = address.hostname.replace(/^\[|\]$/g, '')
    const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
    // An untrusted one is to be looked at, too; nothing is sent to it.
    const wanted = { host, port: Number(address.port || 443), rejectUnauthorized: false, ...name }
    const socket = connect({ ...wanted, ...trusted(settings), ...settings.clientCertificate })
    const end = (found: ShownCertificate | null) => {
      socket.destroy()
      resolve(found)
    }
    socket.setTimeout(milliseconds, () => end(null))
    socket.on('error', () => end(null))
    socket.on('secureConnect', () => {
      const complaint = socket.authorized ? null : String(socket.authorizationError ?? 'it is not trusted')
      const validTo = Date.parse(socket.getPeerCertificate().valid_to ?? '')
      end({ protocol: socket.getProtocol() ?? 'TLS', complaint, validTo })
    })
  })
}
