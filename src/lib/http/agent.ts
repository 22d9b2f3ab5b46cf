/** Connections to a service: which certificates they trust, and through which proxy they go. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { type Agent, buildConnector, Client, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { largestBody } from '../limits.ts'
import { askingOnce } from './interceptor.ts'
import { Overheard } from './overheard.ts'
import { OwnSockets } from './own-sockets.ts'
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

/** The certificates to trust, as options of a connection. */
export function trusted({ ca, authority }: TransportSettings): { readonly ca?: string[] } {
  if (authority !== undefined) return { ca: [authority] }
  return ca ? { ca: [...rootCertificates, ca] } : {}
}

/** The fate of an agent's connections. */
export interface Hearing {
  readonly sockets: OwnSockets
  /** A text is why no connection is taken any more. */
  readonly refusal: () => string | null
  readonly begun?: (time: Connecting) => void
  readonly made: (connection: Overheard) => void
}

function connectorOf(given: Pool.Options['connect']): buildConnector.connector {
  return typeof given === 'function' ? given : buildConnector({ ...given, allowH2: false })
}

/** Connects as given, and listens to each connection as long as the agent does not hang up. */
function overhearing(
  given: Pool.Options['connect'],
  { sockets, refusal, begun, made }: Hearing,
): buildConnector.connector {
  const toSocket = connectorOf(given)
  return (wanted, told) => {
    const time = new Connecting()
    begun?.(time)
    const connecting: unknown = toSocket(wanted, (...[error, socket]) => {
      if (error) return told(error, null)
      const why = refusal()
      if (why !== null) {
        socket.destroy()
        return told(new Error(why), null)
      }
      const connection = new Overheard(socket)
      made(connection)
      told(null, connection as Duplex as Socket)
    })
    time.watch(connecting)
    sockets.add(connecting)
  }
}

/** Connects as given; its sockets are among the agent's. */
function connectorTo(sockets: OwnSockets, given: NonNullable<Pool.Options['connect']>) {
  const toSocket = connectorOf(given)
  return (...wanted: Parameters<buildConnector.connector>) => sockets.add(toSocket(...wanted))
}

/** Makes the connections of an agent, to its proxies' tunnels or to the service. */
function pooled(hearing: Hearing) {
  return (origin: string | URL, options: Pool.Options): Pool =>
    new Pool(origin, { ...options, connect: overhearing(options.connect, hearing) })
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
  const sockets = new OwnSockets()
  const hearing: Hearing = {
    sockets,
    // undici connects anew for a request that was given up.
    refusal: () => (isOver || connection ? 'a request has one connection' : null),
    begun: (time) => {
      connecting ??= time
    },
    made: (socket) => {
      connection = socket
    },
  }
  const agent = agentWith(settings, limits, hearing, oneShot)
  const end = () => {
    isOver = true
    connection?.hangUp()
    agent.destroy().catch(() => undefined)
    sockets.end()
  }
  return { agent, connection: () => connection, connecting: () => connecting, end }
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

/** An agent for one origin, which it reaches without a proxy. */
export function directAgentWith(
  settings: TransportSettings,
  origin: string,
  { connectTimeout }: Pick<SendLimits, 'connectTimeout'>,
  hearing: Hearing,
  keeping: Client.Options,
): Dispatcher {
  compileParserLater()
  const connect = overhearing({ timeout: connectTimeout, ...tlsOf(settings) }, hearing)
  return new Client(origin, { ...keeping, ...ofAll, connect })
}

export function agentWith(
  settings: TransportSettings,
  { connectTimeout }: Pick<SendLimits, 'connectTimeout'>,
  hearing: Hearing,
  keeping: Pick<Agent.Options, 'connections' | 'keepAliveTimeout'>,
): Dispatcher {
  compileParserLater()
  const tls = tlsOf(settings)
  const { httpProxy, httpsProxy, noProxy } = settings.proxies ?? {}
  return new EnvHttpProxyAgent({
    ...keeping,
    ...ofAll,
    factory: pooled(hearing),
    connect: { timeout: connectTimeout, ...tls },
    requestTls: { timeout: connectTimeout, ...tls },
    clientFactory: (proxy: URL, { connect = {}, ...options }: Pool.Options) =>
      new Pool(proxy, { ...options, connect: connectorTo(hearing.sockets, connect) }).compose(askingOnce),
    // Given here even when empty: left out, undici would read the process environment by itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  })
}
