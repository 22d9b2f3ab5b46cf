/**
 * The host check of a server on this machine. A page on the internet can send requests to 127.0.0.1, and give its own
 * name that address (DNS rebinding): the Host header must be the server's own, and a write of a browser must come from
 * the server's own page.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Failure } from '../failure.ts'
import { collectBody } from './message.ts'

export interface HostCheckSettings {
  /** The address to listen on. */
  readonly host: string
  /** Names under which a tunnel or proxy leads here. */
  readonly allowHosts?: readonly string[] | undefined
  /** Hears of the first refusal for a host or an origin. */
  readonly onTurnedAway?: ((turned: TurnedAway) => void) | undefined
}

export interface TurnedAway {
  readonly method: string
  readonly target: string
  readonly status: 400 | 403 | 421
  readonly why: string
}

interface Refusal extends Pick<TurnedAway, 'status' | 'why'> {
  /** Refusals with the same text are told once. */
  readonly of: string
}

type Socket = Pick<IncomingMessage['socket'], 'localAddress' | 'localPort'> & { readonly encrypted?: boolean }

/** A browser changes nothing by them. */
const harmless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
/** A flood of made-up names must fill neither memory nor screen. */
const mostTold = 100

export class HostCheck {
  readonly #host: string
  readonly #allowed: ReadonlySet<string>
  readonly #onTurnedAway: HostCheckSettings['onTurnedAway']
  readonly #told = new Set<string>()

  /** Throws Failure('usage') for an --allow-host that is no name. */
  constructor({ host, allowHosts = [], onTurnedAway }: HostCheckSettings) {
    this.#host = readAuthority(isIP(host) === 6 ? `[${host}]` : host)?.name ?? host
    this.#allowed = readAllowedHosts(allowHosts)
    this.#onTurnedAway = onTurnedAway
  }

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

/** With its colon. */
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

export interface Authority {
  /** In lower case, without a dot at its end. */
  readonly name: string
  readonly port: number | null
}

const form = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(\d{1,5}))?$/i
const label = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?$/
const longestName = 253

function plainName(hostname: string): string | null {
  const name = plainAddress(hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''))
  if (isIP(name) !== 0) return name
  return name.length <= longestName && name.split('.').every((part) => label.test(part)) ? name : null
}

export function readAuthority(text: string): Authority | null {
  const [, host = '', port] = (text.length <= longestName + 10 && form.exec(text)) || []
  // As a browser writes it: letters of other scripts and odd numbers become the name or address that they stand for.
  if (host === '' || !URL.canParse(`http://${host}`)) return null
  const name = plainName(new URL(`http://${host}`).hostname)
  return name === null ? null : { name, port: port === undefined ? null : Number(port) }
}

/** Throws usage (2). */
export function readAllowedHosts(typed: readonly string[]): ReadonlySet<string> {
  const read = typed.map((each) => {
    const authority = readAuthority(isIP(each) === 6 ? `[${each}]` : each)
    if (authority && authority.port === null) return authority.name
    throw new Failure('usage', '--allow-host takes a host name like shop.example, without https://, port or path')
  })
  return new Set(read)
}

/** All of this machine, and what a client on it calls. */
export const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** One text for an address; an IPv4 address inside an IPv6 one is that IPv4 address. */
export function plainAddress(address: string): string {
  const bare = address.split('%', 1)[0] ?? ''
  // Node's expression for IPv6 takes long to read, and most addresses are none.
  if (!bare.includes(':')) return bare
  const asUrl = `http://[${bare}]`
  if (!isIPv6(bare) || !URL.canParse(asUrl)) return bare
  const short = new URL(asUrl).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [one >> 8, one & 255, two >> 8, two & 255].join('.')
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}

/** Whatever a resolver says. */
export function isLoopbackHost(host: string): boolean {
  const { name = '' } = readAuthority(host) ?? {}
  return name === 'localhost' || isLoopbackAddress(name)
}

export function isOnAnInterface(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.some((each) => plainAddress(each.address) === address)
}
