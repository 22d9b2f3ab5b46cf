/**
 * The requests that a server on this machine takes. A page on the internet can make a browser send requests to 127.0.0.1, and
 * can even give its own name that address (DNS rebinding), so listening on the loopback keeps no page out: the name in the
 * Host header must be the server's own, and a write that a browser sends must come from a page of the server itself.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { type Authority, readAllowedHosts, readAuthority } from './host-name.ts'
import { everywhere, isLoopbackAddress, isOnAnInterface, plainAddress } from './own-address.ts'
import { collectBody } from './read-body.ts'

export interface DoorSettings {
  /** The address that the server was told to listen on. */
  readonly host: string
  /** Names under which a tunnel or a proxy brings requests here. */
  readonly allowHosts?: readonly string[] | undefined
  /** Hears of the first refusal for a host, and of the first for an origin. */
  readonly onTurnedAway?: ((turned: TurnedAway) => void) | undefined
}

export interface TurnedAway {
  readonly method: string
  /** As the request has it. */
  readonly target: string
  readonly status: 400 | 403 | 421
  readonly why: string
}

interface Refusal extends Pick<TurnedAway, 'status' | 'why'> {
  /** Refusals with the same text are told once. */
  readonly of: string
}

type Socket = Pick<IncomingMessage['socket'], 'localAddress' | 'localPort'> & { readonly encrypted?: boolean }

/** Methods by which a browser changes nothing. */
const harmless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
/** The most refusals that are reported: a flood of made-up names must fill neither the memory nor the screen. */
const mostTold = 100

export class Door {
  readonly #host: string
  readonly #allowed: ReadonlySet<string>
  readonly #onTurnedAway: DoorSettings['onTurnedAway']
  readonly #told = new Set<string>()

  /** Throws Failure('usage') for an --allow-host that is no name. */
  constructor({ host, allowHosts = [], onTurnedAway }: DoorSettings) {
    this.#host = readAuthority(isIP(host) === 6 ? `[${host}]` : host)?.name ?? host
    this.#allowed = readAllowedHosts(allowHosts)
    this.#onTurnedAway = onTurnedAway
  }

  /** The same listener behind the door. */
  before(listener: RequestListener): RequestListener {
    return async (incoming, outgoing) => {
      const refusal = this.#refusal(incoming)
      if (!refusal) return listener(incoming, outgoing)
      this.#tell(incoming, refusal)
      // A client that still sends cannot read its answer.
      await collectBody(incoming)
      const text = `${refusal.why}\n`
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text) }
      outgoing.writeHead(refusal.status, { ...headers, connection: 'close' }).end(text)
    }
  }

  #tell({ method = '', url: target = '' }: IncomingMessage, { of, status, why }: Refusal): void {
    if (this.#told.has(of) || this.#told.size >= mostTold) return
    this.#told.add(of)
    this.#onTurnedAway?.({ method, target, status, why })
  }

  #refusal(incoming: IncomingMessage): Refusal | null {
    const { headers, method = '', url = '', socket } = incoming
    const hosts = valuesOf(incoming, 'host')
    // A whole address in the request line names a host as well, which must be the server's own, too.
    const [, inTarget] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? []
    if (hosts.length !== 1) return unclear(`the request must have one Host header, not ${hosts.length || 'none'}`)
    for (const given of inTarget === undefined ? hosts : [...hosts, inTarget]) {
      const authority = readAuthority(given)
      if (!authority) return unclear('the Host header holds no host name')
      if (!this.#isOurs(authority, schemeOf(socket), socket)) return misdirected(given, authority)
    }
    if (harmless.has(method)) return null
    const origins = valuesOf(incoming, 'origin')
    for (const origin of origins) if (!this.#isOurPage(origin, socket)) return foreign(origin)
    const site = headers['sec-fetch-site']
    const isOwn = site === undefined || site === 'same-origin' || site === 'none'
    return isOwn ? null : foreign('another site')
  }

  #isOurPage(origin: string, socket: Socket): boolean {
    if (!URL.canParse(origin)) return false
    const { protocol, host } = new URL(origin)
    const authority = protocol in usualPorts ? readAuthority(host) : null
    return authority !== null && this.#isOurs(authority, protocol, socket)
  }

  #isOurs({ name, port }: Authority, protocol: string, { localAddress = '', localPort }: Socket): boolean {
    if (this.#allowed.has(name)) return true
    if ((port ?? usualPorts[protocol]) !== localPort) return false
    const local = plainAddress(localAddress)
    if (name === this.#host ? !(name in everywhere) : name === local) return true
    const isEverywhere = this.#host in everywhere
    if (name === 'localhost' || isLoopbackAddress(name)) return isEverywhere || isLoopbackAddress(local)
    return isEverywhere && isIP(name) !== 0 && isOnAnInterface(name)
  }
}

/** The scheme under which requests of a connection come, with its colon. */
function schemeOf({ encrypted }: Socket): 'http:' | 'https:' {
  return encrypted === true ? 'https:' : 'http:'
}

function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

function unclear(why: string): Refusal {
  return { status: 400, why, of: why }
}

function misdirected(given: string, { name }: Authority): Refusal {
  const why = `there is nothing here by the name ${given}: if a tunnel or proxy of yours leads here by it, start with --allow-host ${name}`
  return { status: 421, why, of: `host ${name}` }
}

const longestOrigin = 200

function foreign(origin: string): Refusal {
  const from = origin.slice(0, longestOrigin)
  return {
    status: 403,
    why: `a web page of ${from} may not write here: only pages of this server may`,
    of: `origin ${from}`,
  }
}
