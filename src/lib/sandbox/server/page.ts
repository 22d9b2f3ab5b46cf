/** Pages of a running sandbox, beside the operations. Rooms bring them, each with paths of its own. */
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { HttpAnswer } from '../../http/message.ts'
import type { Service } from '../service.ts'
import type { SocketExchange } from './exchange.ts'

export type Env = { Bindings: HttpBindings }

export interface WindowSettings {
  /** The key to look in. */
  readonly token: string
  /** Text that cannot be guessed, another one for every page. */
  readonly nonce: () => string
  /** The script of its pages. */
  readonly script: () => Promise<string>
}

export interface PageSettings {
  /** The window stays shut if not given. */
  readonly window: WindowSettings | undefined
  /** The script of the page of payers, which works without one too. */
  readonly checkoutScript: (() => Promise<string>) | undefined
  /** Shows the owner of the sandbox that a page was asked for. */
  readonly tell: (c: Context<Env>, status: number) => void
}

/** Puts the paths of a page on the server. */
export type SandboxPage = (app: Hono<Env>, settings: PageSettings) => void

export interface PagedService extends Service {
  /** In this order: the first that takes a path has it. */
  readonly pages: readonly SandboxPage[]
}

export function responseOf(answer: HttpAnswer): Response {
  return new Response(answer.body, { status: answer.status, headers: { ...answer.headers } })
}

export function exchangeOf({ env: { incoming, outgoing }, req: { method, path } }: Context<Env>): SocketExchange {
  return { incoming, outgoing, method, path }
}
