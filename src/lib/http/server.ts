/** Servers on this machine, behind the host check, and pages that can only be read. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { HostCheck, type HostCheckSettings, isLoopbackAddress, plainAddress } from './host-check.ts'

/** Throws usage (2) where there is no port to take. */
function takePort(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is taken' : error.message
      const hints = [hint`Choose another with --port; --port 0 takes any free one.`]
      reject(new Failure('usage', `cannot listen on ${host} port ${port}: ${why}`, { hints }))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** As programs on this machine reach it. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

export interface ListenSettings extends HostCheckSettings {
  readonly port: number
  /** PEM: serves https. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  /** Milliseconds that a connection may rest; else five seconds. */
  readonly longestRest?: number
}

export interface ListeningServer {
  /** Without a slash at its end. */
  readonly url: string
  readonly port: number
  /** Ends every connection: at once, or when `underWay` has ended and a client has had that many milliseconds to read. */
  close(underWay?: Promise<unknown>, patience?: number): Promise<void>
}

/** Throws usage (2) where the port is taken or a name in `allowHosts` is none. */
export async function listen(listener: RequestListener, settings: ListenSettings): Promise<ListeningServer> {
  const { host, port, tls, longestRest } = settings
  const checked = new HostCheck(settings).before(listener)
  const server = tls ? (await import('node:https')).createServer({ ...tls }, checked) : createServer(checked)
  if (longestRest !== undefined) server.keepAliveTimeout = longestRest
  const chosen = await takePort(server, host, port)
  return {
    url: `${tls ? 'https' : 'http'}://${reachable(host)}:${chosen}`,
    port: chosen,
    async close(underWay, patience = 0) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      if (underWay) {
        server.closeIdleConnections()
        await underWay
      }
      if (patience === 0) server.closeAllConnections()
      const timer = setTimeout(() => server.closeAllConnections(), patience)
      await closed
      clearTimeout(timer)
    },
  }
}

export interface ReadOnlyPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface PageAsked {
  /** Without a query. */
  readonly path: string
  readonly query: URLSearchParams
  /** In lower case; one that came twice is joined. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface ReadOnlySettings extends HostCheckSettings {
  readonly port: number
  /** One that throws is answered with 500, without the reason. */
  readonly page: (asked: PageAsked) => Promise<ReadOnlyPage>
}

const readingMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD'])

export function isOpenToOthers(host: string): boolean {
  return host !== 'localhost' && !isLoopbackAddress(plainAddress(host))
}

export function textPage(status: number, line: string): ReadOnlyPage {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: `${line}\n` }
}

/** Throws as `listen` does. */
export async function servePages({ page, ...settings }: ReadOnlySettings): Promise<ListeningServer> {
  const answerOf = async (method: string | undefined, asked: PageAsked): Promise<ReadOnlyPage> => {
    if (!readingMethods.has(method)) {
      const { headers, ...refused } = textPage(405, 'nothing can be changed here: GET and HEAD only')
      return { ...refused, headers: { ...headers, allow: 'GET, HEAD' } }
    }
    return page(asked).catch(() => textPage(500, 'the page cannot be made now'))
  }
  return await listen(async (incoming, outgoing) => {
    incoming.resume()
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://page')
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const { method } = incoming
    const answer = await answerOf(method, { path: pathname, query: searchParams, headers })
    const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    const length = { 'content-length': Buffer.byteLength(answer.text) }
    outgoing.writeHead(answer.status, { ...always, ...answer.headers, ...length })
    outgoing.end(method === 'HEAD' ? undefined : answer.text)
  }, settings)
}
