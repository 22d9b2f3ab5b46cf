/**
 * Everything of the server but the plain way to an operation: pages, paths in another spelling, paths that do not
 * exist. It is loaded when one of them is asked for, since a payout needs none of it.
 */
import type { RequestListener } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { HttpAnswer } from '../../http/message.ts'
import { answerUnknownPath, servedOperations, suggestPath } from '../routes.ts'
import type { Service } from '../service.ts'
import { writeGeneralFailure } from '../shape.ts'
import { askedOf, type Place, readBody, type SocketExchange, serveOperation } from './exchange.ts'

export type Env = { Bindings: HttpBindings }

export interface ConsoleSettings {
  /** The key to look in. */
  readonly token: string
  /** Text that cannot be guessed, another one for every page. */
  readonly nonce: () => string
  /** The script of its pages. */
  readonly script: () => Promise<string>
}

interface PageSettings {
  /** The window stays shut if not given. */
  readonly window: ConsoleSettings | undefined
  /** The script of the page of payers, which works without one too. */
  readonly checkoutScript: (() => Promise<string>) | undefined
  /** Shows the owner of the sandbox that a page was asked for. */
  readonly tell: (c: Context<Env>, status: number) => void
}

/** Puts the paths of a page on the server. */
export type SandboxPage = (app: Hono<Env>, settings: PageSettings) => void

export interface PagedService extends Service {
  /** In this order: the first that takes a path has it. */
  pages(): Promise<readonly SandboxPage[]>
}

export function responseOf(answer: HttpAnswer): Response {
  return new Response(answer.body, { status: answer.status, headers: { ...answer.headers } })
}

export function exchangeOf({ env: { incoming, outgoing }, req: { method, path } }: Context<Env>): SocketExchange {
  return { incoming, outgoing, method, path }
}

export interface Others extends Place {
  readonly sandbox: PagedService
  readonly window: ConsoleSettings | undefined
  readonly checkoutScript: (() => Promise<string>) | undefined
  /** Of every path; empty for none. */
  readonly prefix: string
}

export async function otherRequests(place: Others): Promise<RequestListener> {
  const { sandbox, shape, prefix, window, checkoutScript } = place
  const app = new Hono<Env>()
  const tell = (c: Context<Env>, status: number) =>
    place.tell({ method: c.req.method, path: c.req.path, operation: null, status, fault: null })
  for (const page of await sandbox.pages()) page(app, { window, checkoutScript, tell })
  for (const operation of servedOperations) {
    app.on(operation.method, [...new Set([operation.path, prefix + operation.path])], async (c) => {
      await serveOperation(exchangeOf(c), operation, place)
      return RESPONSE_ALREADY_SENT
    })
  }
  app.notFound(async (c) => {
    const entry = sandbox.requests.begin((await sandbox.requestContext()).clock)
    const asked = askedOf(exchangeOf(c), await readBody(c.env.incoming))
    const path = prefix !== '' && c.req.path.startsWith(`${prefix}/`) ? c.req.path.slice(prefix.length) : c.req.path
    const hasToken = c.req.header('authorization') !== undefined
    const answer = answerUnknownPath(c.req.method, path, shape, hasToken)
    entry.record({ cause: answer.status === 404 ? suggestPath(c.req.path, prefix) : null })
    entry.end({ asked, operation: null, decision: answer, http: answer.status, fault: null })
    tell(c, answer.status)
    return responseOf(answer)
  })
  app.onError((_error, c) => {
    tell(c, 500)
    return responseOf(writeGeneralFailure(shape))
  })
  return getRequestListener(app.fetch, { overrideGlobalObjects: false })
}
