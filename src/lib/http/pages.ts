/** A server of a few pages that can only be read. The name in the Host header must be its own (./door.ts). */
import { createServer } from 'node:http'
import { Door, type DoorSettings } from './door.ts'
import { listening, reachable } from './listen.ts'
import { isLoopbackAddress, plainAddress } from './own-address.ts'

export interface ReadOnlyPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The question for a page. */
export interface PageAsked {
  /** Without a query. */
  readonly path: string
  readonly query: URLSearchParams
  /** In lower case; one that came twice is joined. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface ReadOnlySettings extends DoorSettings {
  readonly port: number
  /** Gives the page; one that throws is answered with 500, and nothing of why. */
  readonly page: (asked: PageAsked) => Promise<ReadOnlyPage>
}

export interface ServedPages {
  /** Without a slash at its end. */
  readonly url: string
  readonly port: number
  /** Ends every connection. */
  close(): Promise<void>
}

const readingMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD'])

/** True if other machines may reach a server that listens there. */
export function isOpenToOthers(host: string): boolean {
  return host !== 'localhost' && !isLoopbackAddress(plainAddress(host))
}

/** A page of one line. */
export function textPage(status: number, line: string): ReadOnlyPage {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: `${line}\n` }
}

/** Listens. Throws Failure('usage') where the port is taken or a name in `allowHosts` is none. */
export async function servePages({ host, port, page, ...door }: ReadOnlySettings): Promise<ServedPages> {
  const answerOf = async (method: string | undefined, asked: PageAsked): Promise<ReadOnlyPage> => {
    if (!readingMethods.has(method)) {
      const { headers, ...refused } = textPage(405, 'nothing can be changed here: GET and HEAD only')
      return { ...refused, headers: { ...headers, allow: 'GET, HEAD' } }
    }
    return page(asked).catch(() => textPage(500, 'the page cannot be made now'))
  }
  const server = createServer(
    new Door({ host, ...door }).before(async (incoming, outgoing) => {
      incoming.resume()
      const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://page')
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
      const { method } = incoming
      const answer = await answerOf(method, { path: pathname, query: searchParams, headers })
      const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
      const length = { 'content-length': Buffer.byteLength(answer.text) }
      outgoing.writeHead(answer.status, { ...always, ...answer.headers, ...length })
      outgoing.end(method === 'HEAD' ? undefined : answer.text)
    }),
  )
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
