/** Connections to a service: which certificates they trust, through which proxy they go, and whether they are kept. */
import { rootCertificates } from 'node:tls'
import { type Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { largestBody } from '../limits.ts'
import { askingOnce } from './interceptor.ts'
import { compileParserLater } from './parser.ts'
import type { SendLimits } from './transport.ts'

export interface TransportSettings {
  /** Certificates (PEM) to trust besides those of Node. */
  readonly ca?: string
  /** The certificate (PEM) to trust instead of all others. */
  readonly authority?: string
  readonly clientCertificate?: { readonly cert: string; readonly key: string }
  /** http_proxy, https_proxy, no_proxy: usually of the environment. */
  readonly proxies?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string }
}

const oneShot = { connections: 1, keepAliveTimeout: 1 }

/**
 * A service closes a connection that rests, and a request that meets the end of one may be executed or not. So it is kept for
 * much less than services do (Node 5 s, nginx 75 s), and less than they announce (Keep-Alive: timeout).
 */
const kept = { keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000, keepAliveTimeoutThreshold: 2_000 }

function trusted({ ca, authority }: TransportSettings): { readonly ca?: string[] } {
  if (authority !== undefined) return { ca: [authority] }
  return ca ? { ca: [...rootCertificates, ca] } : {}
}

/** An agent for one request. */
export function agentFor(settings: TransportSettings, limits: SendLimits): Dispatcher {
  return agentWith(settings, limits, oneShot)
}

export type Keeping = Pick<SendLimits, 'connectTimeout'>

/**
 * An agent that keeps one connection for the next request. Before it is used again undici looks whether it ended meanwhile.
 * `tooMany` is called when the connection carries something that nobody asked for: an answer too many.
 */
export function keepingAgentFor(
  settings: TransportSettings,
  { connectTimeout }: Keeping,
  tooMany: () => void,
): Dispatcher {
  const factory = (origin: string | URL, options: object) =>
    new Pool(origin, options).on('disconnect', (_origin, _targets, error) => {
      if (!isOrdinaryEnd(error)) tooMany()
    })
  return agentWith(settings, { connectTimeout }, { ...kept, connections: 1, factory })
}

/** The other side ended it, or paydesk did. */
function isOrdinaryEnd({ code, message }: Error & { code?: string }): boolean {
  return ['ECONNRESET', 'UND_ERR_DESTROYED', 'UND_ERR_INFO'].includes(code ?? '') || message === 'other side closed'
}

function agentWith(
  settings: TransportSettings,
  { connectTimeout }: Pick<SendLimits, 'connectTimeout'>,
  keeping: Pick<Agent.Options, 'connections' | 'keepAliveTimeout' | 'factory'>,
): Dispatcher {
  compileParserLater()
  const tls = {
    ...trusted(settings),
    ...(settings.clientCertificate ?? {}),
  }
  const { httpProxy, httpsProxy, noProxy } = settings.proxies ?? {}
  return new EnvHttpProxyAgent({
    ...keeping,
    // A second request behind an unanswered one would share its fate.
    pipelining: 1,
    allowH2: false,
    maxResponseSize: largestBody,
    connect: { timeout: connectTimeout, ...tls },
    requestTls: { timeout: connectTimeout, ...tls },
    headersTimeout: 0,
    bodyTimeout: 0,
    clientFactory: (proxy: URL, options: object) => new Pool(proxy, options).compose(askingOnce),
    // Given here even when empty: left out, undici would read the process environment by itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  })
}
