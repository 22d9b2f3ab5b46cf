/**
 * The right to look into the sandbox: a browser on this machine that has the token. A page on the internet can make a
 * browser send requests to 127.0.0.1, and can even give its own name that address; so the name in the Host header counts,
 * and for whatever changes something the origin does too.
 */
import { isIP } from 'node:net'
import { sameSecret } from '../access/token.ts'

export interface WindowVisit {
  readonly method: string
  /** Address of the other end of the connection. */
  readonly peer: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly cookie: string | undefined
  /** The token of the address, if it has one. */
  readonly token: string | undefined
}

const mapped = /^::ffff:(?=\d)/i

function isLoopbackAddress(address: string): boolean {
  const bare = address.replace(mapped, '')
  return bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

/** True if a name is this machine's own, whatever a resolver says. */
export function isLoopbackHost(hostname: string): boolean {
  const bare = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  return bare === 'localhost' || isLoopbackAddress(bare)
}

function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}

/** Browsers share cookies among the ports of a host: every port has its own name. */
function cookieName(port: number): string {
  return `paydesk-window-${port}`
}

export function cookieFor(port: number, token: string): string {
  return `${cookieName(port)}=${token}; Path=/_sandbox; HttpOnly; SameSite=Strict`
}

function cookieValue(cookie: string | undefined, name: string): string | undefined {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

const isGood = (given: string | undefined, token: string) => given !== undefined && sameSecret(given, token)

export type Judgement =
  /** `enters`: with the token in the address, which is to become a cookie. */
  { readonly ok: true; readonly enters: boolean } | { readonly ok: false; readonly why: string }

/** A HEAD request changes as little as a GET. */
const harmless = ['GET', 'HEAD']

/** This server speaks one of the two: a page of the other scheme has another host or port. */
function isOwnOrigin({ origin, host }: WindowVisit): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}

export function judgeVisit(visit: WindowVisit, port: number, token: string): Judgement {
  const no = (why: string): Judgement => ({ ok: false, why })
  if (visit.peer === undefined || !isLoopbackAddress(visit.peer)) {
    return no('The window of the sandbox opens on its own machine only.')
  }
  if (!isLoopbackHost(hostnameOf(visit.host ?? ''))) {
    return no('The window of the sandbox has no other address than 127.0.0.1 or localhost.')
  }
  const isEntry = harmless.includes(visit.method) && isGood(visit.token, token)
  if (!isEntry && !isGood(cookieValue(visit.cookie, cookieName(port)), token)) {
    return no('The window opens with the address that `paydesk sandbox start` has printed, token included.')
  }
  if (!harmless.includes(visit.method) && !isOwnOrigin(visit)) {
    return no('The window takes orders from its own pages only.')
  }
  return { ok: true, enters: isEntry }
}
