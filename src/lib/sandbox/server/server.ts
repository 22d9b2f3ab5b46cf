/**
 * The sandbox on a socket: one route per operation of the contract, faults applied where they would happen in life. It
 * listens on the loopback only, unless a host is given, and nothing that is sent to it makes it fall.
 */
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Operation } from '../../contract/operation.ts'
import { withoutEnds } from '../../ends.ts'
import { Door, type DoorSettings } from '../../http/door.ts'
import { listening, reachable } from '../../http/listen.ts'
import { writeJson } from '../../json.ts'
import { jsonHeaders } from '../../wire/answer.ts'
import type { Fault } from '../faults/fault.ts'
import { nowhere, servedOperations } from '../routes.ts'
import { type Shape, writeGeneralFailure } from '../shape.ts'
import { alivePath } from './address.ts'
import { readBody } from './body.ts'
import { answerRequest, askedOf, type Env, sendWhole } from './exchange.ts'
import { meantPath } from './meant.ts'
import { type PagedService, responseOf, type WindowSettings } from './page.ts'

export interface ServeSettings extends Pick<DoorSettings, 'allowHosts' | 'onTurnedAway'> {
  readonly host?: string
  readonly port?: number
  /** A prefix under which the same routes stand as well. */
  readonly basePath?: string
  readonly shape?: Shape
  /** Host and port where payers come, where it is not this server. */
  readonly payersAt?: string
  readonly onRequest?: (line: RequestLine) => void
  /** Opens the window at /_sandbox. */
  readonly window?: WindowSettings
}

/** A request as the sandbox's own window shows it. */
export interface RequestLine {
  readonly method: string
  readonly path: string
  readonly operation: string | null
  /** Null where no whole answer was sent. */
  readonly status: number | null
  readonly fault: Pick<Fault, 'at' | 'kind'> | null
}

export interface Served {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** A base path with one slash before it and none behind it; empty for none. */
function tidyPrefix(basePath: string): string {
  const bare = withoutEnds(basePath, '/')
  return bare === '' ? '' : `/${bare}`
}

function routed(sandbox: PagedService, settings: ServeSettings, closing: AbortSignal): Hono<Env> {
  const { shape = 'documented', payersAt, onRequest, basePath = '' } = settings
  const prefix = tidyPrefix(basePath)
  const app = new Hono<Env>()
  const tell = (c: Context<Env>, operation: Operation | null, status: number | null, fault: Fault | null) =>
    onRequest?.({ method: c.req.method, path: c.req.path, operation: operation?.name ?? null, status, fault })
  app.get(alivePath, async () => {
    const { worldId } = await sandbox.world()
    return responseOf({ status: 200, headers: jsonHeaders, body: writeJson({ worldId }) })
  })
  // Behind what needs no token: the window takes every path below its own.
  for (const page of sandbox.pages)
    page(app, { window: settings.window, tell: (c, status) => tell(c, null, status, null) })
  for (const operation of servedOperations) {
    const paths = prefix === '' ? [operation.path] : [operation.path, prefix + operation.path]
    app.on(operation.method, paths, async (c) => {
      const { answer, fault } = await answerRequest(c, operation, { sandbox, shape, payersAt, closing })
      tell(c, operation, answer?.status ?? null, fault)
      if (answer) sendWhole(c.env.outgoing, answer)
      return RESPONSE_ALREADY_SENT
    })
  }
  app.notFound(async (c) => {
    const entry = sandbox.requests.begin((await sandbox.requestContext()).clock)
    const asked = askedOf(c, await readBody(c.env.incoming))
    const path = prefix !== '' && c.req.path.startsWith(`${prefix}/`) ? c.req.path.slice(prefix.length) : c.req.path
    const answer = nowhere(c.req.method, path)
    entry.record({ cause: answer.status === 404 ? meantPath(c.req.path, prefix) : null })
    entry.end({ asked, operation: null, decision: answer, http: answer.status, fault: null })
    tell(c, null, answer.status, null)
    return responseOf(answer)
  })
  app.onError((_error, c) => {
    tell(c, null, 500, null)
    const meant = servedOperations.find(({ method, path }) => method === c.req.method && c.req.path.endsWith(path))
    return responseOf(writeGeneralFailure(shape, meant?.area))
  })
  return app
}

/** Serves a sandbox until it is closed; closing ends every connection, the silent ones too. The sandbox stays open. */
export async function serve(sandbox: PagedService, settings: ServeSettings = {}): Promise<Served> {
  const { host = '127.0.0.1', port = 0, allowHosts, onTurnedAway } = settings
  const door = new Door({ host, allowHosts, onTurnedAway })
  const closing = new AbortController()
  const { fetch } = routed(sandbox, settings, closing.signal)
  const server = createServer(door.before(getRequestListener(fetch, { overrideGlobalObjects: false })))
  const chosen = await listening(server, host, port)
  return {
    url: `http://${reachable(host)}:${chosen}`,
    port: chosen,
    close: () =>
      new Promise((resolve) => {
        closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
