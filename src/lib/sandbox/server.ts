/**
 * The sandbox on a socket: one route per operation of the contract, faults applied where they would happen in life. It
 * listens on the loopback only, unless a host is given, and nothing that is sent to it makes it fall.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { Failure } from '../failure.ts'
import { writeJson } from '../json.ts'
import { writeError } from '../wire/answer.ts'
import type { HttpAnswer } from '../wire/message.ts'
import { readBody } from './body.ts'
import { breakOff } from './break.ts'
import { checkoutPath } from './checkout.ts'
import { type Fault, spoil } from './fault.ts'
import { nowhere } from './routes.ts'
import type { Sandbox } from './sandbox.ts'
import { type Shape, writeGeneralFailure } from './shape.ts'

export interface ServeSettings {
  readonly host?: string
  readonly port?: number
  /** A prefix under which the same routes stand as well. */
  readonly basePath?: string
  readonly shape?: Shape
  readonly onRequest?: (line: RequestLine) => void
}

/** What the sandbox's own window shows of a request. */
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

type Env = { Bindings: HttpBindings }

/** Where a sandbox says that it is alive, and which world it has. */
export const alivePath = '/_sandbox/alive'

function responseOf(answer: HttpAnswer): Response {
  return new Response(answer.body, { status: answer.status, headers: { ...answer.headers } })
}

/** One exchange, its fault included; null where no whole answer is to be sent. */
async function exchange(
  c: Context<Env>,
  sandbox: Sandbox,
  operation: Operation,
  shape: Shape,
): Promise<{ readonly answer: HttpAnswer | null; readonly fault: Fault | null }> {
  const body = await readBody(c.env.incoming)
  if (body.kind === 'gone') return { answer: null, fault: null }
  const fault = await sandbox.faults.take(operation.name)
  const seen = async () =>
    body.kind === 'too-large'
      ? writeError(413, { message: 'The body is too large' })
      : await sandbox.answer(
          {
            method: operation.method,
            path: operation.path,
            query: [...new URL(c.req.url).searchParams],
            headers: c.req.header(),
            body: body.text,
          },
          shape,
        )
  const answer = fault?.at === 'before' ? null : await seen()
  const end = fault ? spoil(fault.kind, answer, shape, operation.area) : null
  if (end === null) return { answer, fault }
  if (end.kind === 'answered') return { answer: end.answer, fault }
  await breakOff(c.env.outgoing, end)
  return { answer: null, fault }
}

/** A base path with one slash before it and none behind it; empty for none. */
function tidyPrefix(basePath: string): string {
  const bare = basePath.replace(/^\/+|\/+$/g, '')
  return bare === '' ? '' : `/${bare}`
}

function routed(sandbox: Sandbox, settings: ServeSettings): Hono<Env> {
  const { shape = 'documented', onRequest, basePath = '' } = settings
  const prefix = tidyPrefix(basePath)
  const app = new Hono<Env>()
  const tell = (c: Context<Env>, operation: Operation | null, status: number | null, fault: Fault | null) =>
    onRequest?.({ method: c.req.method, path: c.req.path, operation: operation?.name ?? null, status, fault })
  app.get(alivePath, async () => {
    const { worldId } = await sandbox.world()
    return responseOf({ status: 200, headers: { 'content-type': 'application/json' }, body: writeJson({ worldId }) })
  })
  app.get(`${checkoutPath}:order`, async (c) => {
    const text = await sandbox.checkout(c.req.param('order'))
    tell(c, null, text === null ? 404 : 200, null)
    return c.text(text ?? 'There is no such order.\n', text === null ? 404 : 200)
  })
  for (const operation of operations) {
    const paths = prefix === '' ? [operation.path] : [operation.path, prefix + operation.path]
    app.on(operation.method, paths, async (c) => {
      const { answer, fault } = await exchange(c, sandbox, operation, shape)
      tell(c, operation, answer?.status ?? null, fault)
      return answer ? responseOf(answer) : RESPONSE_ALREADY_SENT
    })
  }
  app.notFound(async (c) => {
    await readBody(c.env.incoming)
    const path = prefix !== '' && c.req.path.startsWith(`${prefix}/`) ? c.req.path.slice(prefix.length) : c.req.path
    const answer = nowhere(c.req.method, path)
    tell(c, null, answer.status, null)
    return responseOf(answer)
  })
  app.onError((_error, c) => {
    tell(c, null, 500, null)
    const meant = operations.find(({ method, path }) => method === c.req.method && c.req.path.endsWith(path))
    return responseOf(writeGeneralFailure(shape, meant?.area))
  })
  return app
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is taken' : error.message
      const hints = ['Choose another with --port; --port 0 takes any free one.']
      reject(new Failure('usage', `cannot listen on ${host} port ${port}: ${why}`, { hints }))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** The host as clients on this machine reach it. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Serves a sandbox until it is closed; closing ends every connection, the silent ones too. The sandbox stays open. */
export async function serve(sandbox: Sandbox, settings: ServeSettings = {}): Promise<Served> {
  const { host = '127.0.0.1', port = 0 } = settings
  const { fetch } = routed(sandbox, settings)
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server
  const chosen = await listening(server, host, port)
  return {
    url: `http://${reachable(host)}:${chosen}`,
    port: chosen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
