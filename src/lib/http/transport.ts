/**
 * One request out, one answer in; the only undici. No redirect is followed and nothing is repeated here: repeating is a
 * decision about money and belongs to the desk. Each request has a connection of its own, so that "unsent" is a fact: it
 * is said only if undici never handed the request to a connected socket.
 */
import { rootCertificates } from 'node:tls'
import { type Dispatcher, EnvHttpProxyAgent, Pool, request as send } from 'undici'
import { withoutEnd } from '../ends.ts'
import { largestBody, largestBodyInWords } from '../limits.ts'
import { type HttpAnswer, type HttpRequest, target } from '../wire/message.ts'

export interface SendLimits {
  /** Milliseconds until the connection must stand, TLS included. */
  readonly connectTimeout: number
  /** Milliseconds until the whole answer must be there, counted from the start. */
  readonly answerTimeout: number
  readonly signal: AbortSignal
  /** Asked right before the first byte: a text is why nothing may leave any more. */
  readonly objection?: () => string | null
}

export type Transmission =
  | { readonly kind: 'answered'; readonly answer: HttpAnswer; readonly milliseconds: number }
  /** Not a byte of the request left. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The request left, in whole or in part, and no whole answer came. */
  | { readonly kind: 'unanswered'; readonly why: string }

/** Carries one request below a base URL. Never throws: what happened is in the Delivery. */
export type Transport = (baseUrl: string, request: HttpRequest, limits: SendLimits) => Promise<Transmission>

/** A request that somebody else made: passed on to the byte, whatever it holds. */
export interface ForeignRequest {
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** Carries somebody else's request to an address. Never throws: what happened is in the Delivery. */
export type Relay = (address: URL, request: ForeignRequest, limits: SendLimits) => Promise<Transmission>

export interface TransportSettings {
  /** Certificates (PEM) to trust besides those of Node. */
  readonly ca?: string
  readonly clientCertificate?: { readonly cert: string; readonly key: string }
  /** http_proxy, https_proxy, no_proxy: usually of the environment. */
  readonly proxies?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string }
}

const oneShot = { connections: 1, pipelining: 1, keepAliveTimeout: 1, allowH2: false } as const

function agentFor(settings: TransportSettings, limits: SendLimits): Dispatcher {
  const tls = {
    ...(settings.ca ? { ca: [...rootCertificates, settings.ca] } : {}),
    ...(settings.clientCertificate ?? {}),
  }
  const { httpProxy, httpsProxy, noProxy } = settings.proxies ?? {}
  return new EnvHttpProxyAgent({
    ...oneShot,
    maxResponseSize: largestBody,
    connect: { timeout: limits.connectTimeout, ...tls },
    requestTls: { timeout: limits.connectTimeout, ...tls },
    headersTimeout: 0,
    bodyTimeout: 0,
    clientFactory: (proxy: URL, options: object) => new Pool(proxy, options).compose(askingOnce),
    // Given here even when empty: left out, undici would read the process environment by itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  })
}

type Handler = Dispatcher.DispatchHandler
type Interceptor = Dispatcher.DispatcherComposeInterceptor

/** A handler that passes everything on, but for what is done instead. */
function passingOn(handler: Handler, instead: Partial<Handler>): Handler {
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
    ...instead,
  }
}

/**
 * Notes the moment undici hands the request to a connected socket (through a proxy: to the tunnel). Until that moment an
 * objection keeps the request here.
 */
function noting(departed: () => void, objection: () => string | null): Interceptor {
  return (dispatch) => (options, handler) => {
    const onRequestStart: Handler['onRequestStart'] = (controller, context) => {
      const why = objection()
      if (why !== null) {
        controller.abort(new Error(why))
        return
      }
      departed()
      handler.onRequestStart?.(controller, context)
    }
    return dispatch(options, passingOn(handler, { onRequestStart }))
  }
}

/**
 * Asks a proxy for a tunnel. undici takes a proxy that hangs up, an error of the code UND_ERR_SOCKET, for a passing mishap
 * and would ask again at once, thousands of times a second; an error without that code is final.
 */
const askingOnce: Interceptor = (dispatch) => (options, handler) => {
  const onResponseError: Handler['onResponseError'] = (controller, error) =>
    handler.onResponseError?.(controller, new Error(`no tunnel through the proxy: ${explain(error)}`, { cause: error }))
  return dispatch(options, passingOn(handler, { onResponseError }))
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `the answer has more than ${largestBodyInWords}`
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const text = error.message || (inner instanceof Error ? inner.message : '')
  return [code && !text.includes(code) ? code : null, text.trim()].filter(Boolean).join(': ') || 'the request failed'
}

function joined(baseUrl: string, request: HttpRequest): URL {
  return new URL(withoutEnd(baseUrl, '/') + target(request))
}

/** Rejects when the signal fires: undici does not heed a signal while it still asks a proxy for a tunnel. */
function fired(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(signal.reason)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
}

/** What goes out, in the terms of undici. */
type Outgoing = Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>

async function exchange(
  url: URL,
  outgoing: Outgoing,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const answer = await send(url, { ...outgoing, signal, dispatcher } as Parameters<typeof send>[1])
  const body = await answer.body.text()
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
  return { status: answer.statusCode, headers, body }
}

function carrier(settings: TransportSettings) {
  return async (address: () => URL, outgoing: Outgoing, limits: SendLimits): Promise<Transmission> => {
    const started = performance.now()
    let departed = false
    let agent: Dispatcher | undefined
    const late = AbortSignal.timeout(limits.answerTimeout)
    // undici's own limit does not cover what a proxy takes to answer.
    const unconnected = new AbortController()
    const connecting = setTimeout(() => unconnected.abort(), limits.connectTimeout)
    const signal = AbortSignal.any([limits.signal, late, unconnected.signal])
    try {
      agent = agentFor(settings, limits)
      const noted = agent.compose(
        noting(
          () => {
            departed = true
            clearTimeout(connecting)
          },
          limits.objection ?? (() => null),
        ),
      )
      const answer = await Promise.race([exchange(address(), outgoing, noted, signal), fired(signal)])
      return { kind: 'answered', answer, milliseconds: Math.round(performance.now() - started) }
    } catch (error) {
      const why = whyNot(error, late, unconnected.signal, limits)
      return departed ? { kind: 'unanswered', why } : { kind: 'unsent', why }
    } finally {
      clearTimeout(connecting)
      agent?.destroy().catch(() => undefined)
    }
  }
}

/** A transport over real sockets. */
export function socketTransport(settings: TransportSettings = {}): Transport {
  const carry = carrier(settings)
  return (baseUrl, request, limits) => {
    const { method, body } = request
    const headers = { 'user-agent': 'paydesk', ...request.headers }
    return carry(() => joined(baseUrl, request), { method, headers, body }, limits)
  }
}

/** A relay over real sockets. */
export function socketRelay(settings: TransportSettings = {}): Relay {
  const carry = carrier(settings)
  return (address, { method, headers, body }, limits) =>
    carry(() => address, { method: method as 'POST', headers: headers.flat(), body }, limits)
}

function whyNot(error: unknown, late: AbortSignal, unconnected: AbortSignal, limits: SendLimits): string {
  if (late.aborted) return `no answer within ${limits.answerTimeout / 1000} s`
  return unconnected.aborted ? `no connection within ${limits.connectTimeout / 1000} s` : explain(error)
}
