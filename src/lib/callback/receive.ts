/**
 * The address that the service calls. A callback is stored as it came before anything else and answered with 200 then,
 * whatever it holds: a service that is refused because its receiver cannot read a callback repeats it for ever.
 */
import type { IncomingMessage } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { collectBody } from '../http/message.ts'
import { listen } from '../http/server.ts'
import type { ResultOf } from '../result.ts'
import { largestBodyInWords } from '../text.ts'
import { type Headers, maskedText } from './mask.ts'
import type { RawCallback } from './raw.ts'
import type { callbackRefused } from './result.ts'

interface ReceiveSettings {
  readonly host: string
  readonly port: number
  readonly path: string
  /** Names of tunnels that lead here. */
  readonly allowHosts?: readonly string[] | undefined
  readonly now: () => number
  /** Resolves when the callback is durable. */
  readonly take: (raw: RawCallback) => Promise<unknown>
  /** Hears of what was not taken: a foreign host or page, a wrong path or method, a body that is too large, a store that failed. */
  readonly onRefused: (refused: Refused) => void
}

export type Refused = Omit<ResultOf<typeof callbackRefused>, 'event'>

export interface CallbackReceiver {
  readonly url: string
  /** Takes no more, lets those under way be answered, and ends every connection. */
  close(): Promise<void>
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  return Array.from({ length: rawHeaders.length / 2 }, (_, at) => [
    rawHeaders[at * 2] as string,
    rawHeaders[at * 2 + 1] as string,
  ])
}

const tidy = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

/** The path that a start line names, be it a path or a whole address. */
export function pathOf(target: string): string {
  const path = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target).pathname : target
  return tidy(path.replace(/[?#].*$/s, ''))
}

type Env = { Bindings: HttpBindings }

function appOf({ path, now, take, onRefused }: ReceiveSettings, underWay: Set<Promise<unknown>>): Hono<Env> {
  const app = new Hono<Env>()
  app.all('*', async (c) => {
    const { incoming } = c.env
    const { method = '', url: target = '/' } = incoming
    const receivedAt = now()
    const refuse = (status: 404 | 405 | 413 | 503, why: string, headers: Record<string, string> = {}) => {
      onRefused({ method, target: maskedText(target), status, why })
      return c.text(`${why}\n`, status, headers)
    }
    const body = await collectBody(incoming)
    if (pathOf(target) !== tidy(path)) return refuse(404, 'no callbacks are taken at this path')
    if (method !== 'POST') return refuse(405, 'callbacks are sent with POST', { allow: 'POST' })
    if (body === 'too-large') return refuse(413, `the body has more than ${largestBodyInWords}`)
    if (body === 'gone') return c.body(null, 400)
    const remote = `${incoming.socket.remoteAddress ?? ''}:${incoming.socket.remotePort ?? ''}`
    const taken = take({ receivedAt, remote, method, target, headers: headersOf(incoming), body })
    underWay.add(taken)
    try {
      await taken
      return c.body(null, 200, { 'content-length': '0' })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      onRefused({ method, target: maskedText(target), status: 503, why })
      return c.text('the callback could not be stored\n', 503)
    } finally {
      underWay.delete(taken)
    }
  })
  return app
}

/** Milliseconds that those under way are waited for. */
const patience = 2_000

/** Listens. Throws Failure('usage') where the port is taken. */
export async function receive(settings: ReceiveSettings): Promise<CallbackReceiver> {
  const underWay = new Set<Promise<unknown>>()
  const { fetch } = appOf(settings, underWay)
  const { host, port, path, allowHosts, onRefused } = settings
  const { url, close } = await listen(getRequestListener(fetch, { overrideGlobalObjects: false }), {
    ...{ host, port, allowHosts },
    onTurnedAway: (turned) => onRefused({ ...turned, target: maskedText(turned.target) }),
  })
  return { url: `${url}${path}`, close: () => close(Promise.allSettled(underWay), patience) }
}
