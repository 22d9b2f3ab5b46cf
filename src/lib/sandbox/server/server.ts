/**
 * The sandbox on a socket: one route per operation of the contract, faults applied where they would happen in life. It
 * listens on the loopback only, unless a host is given, and nothing that is sent to it makes it fall.
 */
import type { RequestListener, ServerResponse } from 'node:http'
import { jsonHeaders } from '../../client/answer.ts'
import type { Operation } from '../../contract/operation.ts'
import type { HostCheckSettings } from '../../http/host-check.ts'
import { type ListeningServer, listen } from '../../http/server.ts'
import { writeJson } from '../../json.ts'
import { withoutEnds } from '../../text.ts'
import { servedOperations } from '../routes.ts'
import { type Shape, writeGeneralFailure } from '../shape.ts'
import { alivePath } from './address.ts'
import { type RequestLine, sendWhole, serveOperation } from './exchange.ts'
import type { ConsoleSettings, Others, PagedService } from './pages.ts'

export interface ServeSettings extends Pick<HostCheckSettings, 'allowHosts' | 'onTurnedAway'> {
  readonly host?: string
  readonly port?: number
  /** A prefix under which the same routes stand as well. */
  readonly basePath?: string
  readonly shape?: Shape
  /** The address that payers come to, without a slash at its end, where it is not this server's. */
  readonly payersAt?: string
  readonly onRequest?: (line: RequestLine) => void
  /** Serves https with this certificate and its key (PEM). */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Opens the window at /_sandbox. */
  readonly window?: ConsoleSettings
  /** The script of the page of payers. */
  readonly checkoutScript?: () => Promise<string>
}

/** A base path with one slash before it and none behind it; empty for none. */
function tidyPrefix(basePath: string): string {
  const bare = withoutEnds(basePath, '/')
  return bare === '' ? '' : `/${bare}`
}

/** Operations by method and path, as nearly every request spells them. */
function operationsBelow(prefix: string): ReadonlyMap<string, Operation> {
  const spelt = servedOperations.flatMap((operation) =>
    ['', prefix].map((before) => [`${operation.method} ${before}${operation.path}`, operation] as const),
  )
  return new Map(spelt)
}

/** The answer to other commands that ask whether this sandbox runs: at once, nothing else is loaded for it. */
async function answerAlive(outgoing: ServerResponse, sandbox: PagedService): Promise<void> {
  try {
    const { worldId } = await sandbox.requestContext()
    sendWhole(outgoing, { status: 200, headers: jsonHeaders, body: writeJson({ worldId }) })
  } catch {
    sendWhole(outgoing, writeGeneralFailure('documented'))
  }
}

function routeRequests(place: Others): RequestListener {
  const meant = operationsBelow(place.prefix)
  let others: Promise<RequestListener> | null = null
  const loaded = async () => (await import('./pages.ts')).otherRequests(place)
  return async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    const [path = ''] = url.split('?', 1)
    const operation = meant.get(`${method} ${path}`)
    if (url === alivePath && method === 'GET') return await answerAlive(outgoing, place.sandbox)
    if (operation) return await serveOperation({ incoming, outgoing, method, path }, operation, place)
    others ??= loaded()
    return (await others)(incoming, outgoing)
  }
}

/**
 * Milliseconds that a connection may rest: longer than clients keep one, a minute in Java. One that is closed as its next request
 * leaves is a lost answer for the client.
 */
const longestRest = 75_000

/** Serves a sandbox until it is closed; closing ends every connection, the silent ones too. The sandbox stays open. */
export async function serve(sandbox: PagedService, settings: ServeSettings = {}): Promise<ListeningServer> {
  const { host = '127.0.0.1', port = 0, allowHosts, onTurnedAway, tls } = settings
  const { shape = 'documented', basePath = '', payersAt, window, checkoutScript } = settings
  const closing = new AbortController()
  const listener = routeRequests({
    ...{ sandbox, shape, payersAt, window, checkoutScript, closing: closing.signal, prefix: tidyPrefix(basePath) },
    tell: settings.onRequest ?? (() => undefined),
  })
  const served = await listen(listener, { host, port, allowHosts, onTurnedAway, tls, longestRest })
  const close = async () => {
    closing.abort()
    await served.close()
  }
  return { ...served, close }
}
