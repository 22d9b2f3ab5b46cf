/** Connections to a service: which certificates they trust, through which proxy they go, and whether they are kept. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { type Agent, buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { largestBody } from '../limits.ts'
import { askingOnce } from './interceptor.ts'
import { Overheard } from './overheard.ts'
import { compileParserLater } from './parser.ts'
import { Connecting } from './phases/connecting.ts'
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

/** The certificates to trust, as options of a connection. */
export function trusted({ ca, authority }: TransportSettings): { readonly ca?: string[] } {
  if (authority !== undefined) return { ca: [authority] }
  return ca ? { ca: [...rootCertificates, ca] } : {}
}

export interface OneShot {
  readonly agent: Dispatcher
  /** The connection of its request; null until it stands. */
  readonly connection: () => Overheard | null
  /** The time that it took; null as long as none was asked for. */
  readonly connecting: () => Connecting | null
  /** Hangs up, and takes no connection any more. */
  readonly end: () => void
}

/** An agent for one request. The caller ends it. */
export function agentFor(settings: TransportSettings, limits: SendLimits): OneShot {
  let connection: Overheard | null = null
  let connecting: Connecting | null = null
  let isOver = false
  const factory = (origin: string | URL, options: Pool.Options) => {
    const { connect: given } = options
    const toSocket = typeof given === 'function' ? given : buildConnector({ ...given, allowH2: false })
    const connect: buildConnector.connector = (wanted, told) => {
      const time = new Connecting()
      connecting ??= time
      const begun: unknown = toSocket(wanted, (...[error, socket]) => {
        if (error) return told(error, null)
        // undici connects anew for a request that was given up.
        if (isOver || connection) {
          socket.destroy()
          return told(new Error('a request has one connection'), null)
        }
        connection = new Overheard(socket)
        told(null, connection as Duplex as Socket)
      })
      time.watch(begun)
    }
    return new Pool(origin, { ...options, connect })
  }
  const agent = agentWith(settings, limits, { ...oneShot, factory })
  const end = () => {
    isOver = true
    connection?.hangUp()
    agent.destroy().catch(() => undefined)
  }
  return { agent, connection: () => connection, connecting: () => connecting, end }
}

export type Keeping = Pick<SendLimits, 'connectTimeout'>

/**
 * An agent that keeps one connection to an origin for the next request. Before it is used again undici looks whether it ended
 * meanwhile. `connected` is called for each connection that it makes.
 */
export function keepingAgentFor(
  settings: TransportSettings,
  origin: string,
  { connectTimeout }: Keeping,
  connected: () => void,
): Dispatcher {
  if (!settings.proxies?.httpProxy && !settings.proxies?.httpsProxy) {
    compileParserLater()
    const connect = { timeout: connectTimeout, ...tlsOf(settings) }
    return new Client(origin, { ...kept, ...ofAll, connect }).on('connect', connected)
  }
  const factory = (of: string | URL, options: object) => new Pool(of, options).on('connect', connected)
  return agentWith(settings, { connectTimeout }, { ...kept, connections: 1, factory })
}

/** Options of every connection. */
const ofAll = {
  // A second request behind an unanswered one would share its fate.
  pipelining: 1,
  allowH2: false,
  maxResponseSize: largestBody,
  headersTimeout: 0,
  bodyTimeout: 0,
}

function tlsOf(settings: TransportSettings) {
  return { ...trusted(settings), ...(settings.clientCertificate ?? {}) }
}

function agentWith(
  settings: TransportSettings,
  { connectTimeout }: Pick<SendLimits, 'connectTimeout'>,
  keeping: Pick<Agent.Options, 'connections' | 'keepAliveTimeout' | 'factory'>,
): Dispatcher {
  compileParserLater()
  const tls = tlsOf(settings)
  const { httpProxy, httpsProxy, noProxy } = settings.proxies ?? {}
  return new EnvHttpProxyAgent({
    ...keeping,
    ...ofAll,
    connect: { timeout: connectTimeout, ...tls },
    requestTls: { timeout: connectTimeout, ...tls },
    clientFactory: (proxy: URL, options: object) => new Pool(proxy, options).compose(askingOnce),
    // Given here even when empty: left out, undici would read the process environment by itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  })
}
