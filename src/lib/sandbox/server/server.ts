/**
 * The sandbox on a socket: one route per operation of the contract, faults applied where they would happen in life, and its
 * pages. It listens on the loopback only, unless a host is given, and nothing that is sent to it makes it fall.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import { jsonHeaders } from '../../client/answer.ts'
import type { Operation } from '../../contract/operation.ts'
import type { HostCheckSettings } from '../../http/host-check.ts'
import type { HttpAnswer } from '../../http/message.ts'
import { type ListeningServer, listen } from '../../http/server.ts'
import { writeJson } from '../../json.ts'
import { withoutEnds } from '../../text.ts'
import { answerUnknownPath, servedOperations, suggestPath } from '../routes.ts'
import type { Sandbox } from '../sandbox.ts'
import { type Shape, writeGeneralFailure } from '../shape.ts'
import { alivePath } from './address.ts'
import {
  type RequestLine,
  readBody,
  receivedRequest,
  type ServerContext,
  type SocketExchange,
  sendWhole,
  serveOperation,
} from './exchange.ts'

export interface ConsoleSettings {
  readonly token: string
  /** Text that cannot be guessed, another one for every page. */
  readonly nonce: () => string
  readonly script: () => Promise<string>
}

export interface PageSettings {
  /** The console at /_sandbox stays shut if not given. */
  readonly console?: ConsoleSettings | undefined
}

/** What a page is asked: HEAD is asked as GET. */
export interface PageRequest extends SocketExchange {
  readonly query: URLSearchParams
  /** Fires when the server closes. */
  readonly closing: AbortSignal
  readonly settings: PageSettings
}

/**
 * The answer to a request for a page; `sent` where it is on its way already, null for a path of others. `isTold`: the owner
 * of the server sees that it was asked for.
 */
export interface SandboxPage {
  readonly isTold?: boolean
  readonly answer: (asked: PageRequest) => Promise<HttpAnswer | 'sent' | null>
}

export interface ServeSettings extends PageSettings, Pick<HostCheckSettings, 'allowHosts' | 'onTurnedAway'> {
  readonly host?: string
  readonly port?: number
  /** A prefix under which the same routes stand as well. */
  readonly basePath?: string
  readonly shape?: Shape
  /** The address that checkout links begin with, if it is not this server's; without a slash at its end. */
  readonly checkoutBase?: string
  readonly onRequest?: (line: RequestLine) => void
  /** Serves https with this certificate and its key (PEM). */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
}

/** A base path with one slash before it and none behind it; empty for none. */
function tidyPrefix(basePath: string): string {
  const bare = withoutEnds(basePath, '/')
  return bare === '' ? '' : `/${bare}`
}

/** Operations by method and path, without the prefix and with it. */
function operationsBelow(prefix: string): ReadonlyMap<string, Operation> {
  const spelt = servedOperations.flatMap((operation) =>
    ['', prefix].map((before) => [`${operation.method} ${before}${operation.path}`, operation] as const),
  )
  return new Map(spelt)
}

/** The target of a request in whatever spelling it came: with escapes, as a whole address, with a fragment. */
function targetOf({ url = '/' }: IncomingMessage): { readonly path: string; readonly query: URLSearchParams } {
  const address = url.startsWith('/') ? `http://sandbox${url}` : url
  if (!URL.canParse(address)) return { path: url, query: new URLSearchParams() }
  const { pathname, searchParams } = new URL(address)
  try {
    return { path: decodeURI(pathname), query: searchParams }
  } catch {
    return { path: pathname, query: searchParams }
  }
}

function routeRequests(
  sandbox: Sandbox,
  context: ServerContext,
  prefix: string,
  settings: PageSettings,
): RequestListener {
  const operations = operationsBelow(prefix)
  let pages: Promise<readonly SandboxPage[]> | null = null

  /** Other commands ask whether this sandbox runs: nothing else is loaded for it. */
  const answerAlive = async (): Promise<HttpAnswer> => {
    const { worldId } = await sandbox.context()
    return { status: 200, headers: jsonHeaders, body: writeJson({ worldId }) }
  }

  const answerUnknown = async (exchange: SocketExchange): Promise<HttpAnswer> => {
    const { incoming, method, path } = exchange
    const entry = sandbox.requests.begin((await sandbox.context()).clock)
    const asked = receivedRequest(exchange, await readBody(incoming))
    const own = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
    const answer = answerUnknownPath(method, own, context.shape, incoming.headers.authorization !== undefined)
    entry.record({ cause: answer.status === 404 ? suggestPath(path, prefix) : null })
    entry.end({ asked, operation: null, decision: answer, http: answer.status, fault: null })
    return answer
  }

  /** Pages, paths in another spelling, and paths that do not exist. */
  const answerOther = async (exchange: SocketExchange): Promise<void> => {
    const { incoming, outgoing } = exchange
    const { path, query } = targetOf(incoming)
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method
    const asked = { ...exchange, method, path, query, closing: context.closing, settings }
    const send = (answer: HttpAnswer, isTold = true) => {
      const line = { method: exchange.method, path, operation: null, status: answer.status, fault: null }
      if (isTold) context.tell(line)
      sendWhole(outgoing, answer)
    }
    pages ??= sandbox.pages()
    for (const page of await pages) {
      const answer = await page.answer(asked)
      if (answer === 'sent') return
      if (answer) return send(answer, page.isTold === true)
    }
    const operation = operations.get(`${method} ${path}`)
    if (operation) await serveOperation({ ...exchange, path }, operation, context)
    else send(await answerUnknown({ ...exchange, path }))
  }

  return async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    const [path = ''] = url.split('?', 1)
    const exchange = { incoming, outgoing, method, path }
    const operation = operations.get(`${method} ${path}`)
    if (operation) return await serveOperation(exchange, operation, context)
    try {
      if (url === alivePath && method === 'GET') sendWhole(outgoing, await answerAlive())
      else await answerOther(exchange)
    } catch {
      if (outgoing.headersSent) outgoing.destroy()
      else sendWhole(outgoing, writeGeneralFailure(context.shape))
    }
  }
}

/**
 * Milliseconds that a connection may rest: longer than clients keep one, a minute in Java. One that is closed as its next request
 * leaves is a lost answer for the client.
 */
const longestRest = 75_000

/** Serves a sandbox until it is closed; closing ends every connection, the silent ones too. The sandbox stays open. */
export async function serve(sandbox: Sandbox, settings: ServeSettings = {}): Promise<ListeningServer> {
  const { host = '127.0.0.1', port = 0, allowHosts, onTurnedAway, tls } = settings
  const { shape = 'documented', basePath = '', checkoutBase, onRequest: tell = () => undefined } = settings
  const closing = new AbortController()
  const context = { sandbox, shape, checkoutBase, closing: closing.signal, tell }
  const listener = routeRequests(sandbox, context, tidyPrefix(basePath), settings)
  const served = await listen(listener, { host, port, allowHosts, onTurnedAway, tls, longestRest })
  const close = async () => {
    closing.abort()
    await served.close()
  }
  return { ...served, close }
}
