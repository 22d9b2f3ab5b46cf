/**
 * The address of a service as it is kept and asked. `originOf` of the contract says which service it means, and so what a
 * --key stands for: it takes the names of this machine for one host, but a certificate may hold only one of them.
 */

import { BlockList, isIP } from 'node:net'
import type { Environment } from '../edge.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { TransportSettings } from '../http/client.ts'
import { withoutEnd } from '../text.ts'

type ReadAddress =
  | { readonly ok: true; readonly address: string; readonly plain: boolean; readonly loopback: boolean }
  | { readonly ok: false; readonly complaint: string }

/** True if a host name of a URL can only be this machine. Other names below `localhost` are up to a resolver. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function complaintAbout(typed: string, url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://'
  if (url.username || url.password || /^[^/]*\/\/[^/]*@/.test(typed)) return 'must not hold a user name or a password'
  if (/[?#]/.test(typed)) return 'must not hold a query or a fragment'
  if (url.hostname.endsWith('.')) return 'must not have a host name that ends with a dot'
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'must be https: plain http goes to this machine only (127.0.0.1, [::1], localhost)'
  }
  return null
}

/** Reads an http(s) address: host in lower case, default port left out, path prefix kept, no slash at the end. */
export function readAddress(typed: string): ReadAddress {
  // The URL parser silently drops blanks, tabs and line breaks, and reads a backslash as a slash.
  const url =
    /[\s\p{Cc}\\]/u.test(typed) || !/^[a-z]+:\/\//i.test(typed) || !URL.canParse(typed) ? null : new URL(typed)
  if (!url) return { ok: false, complaint: 'must be an address like https://pay.example.com/prefix' }
  const complaint = complaintAbout(typed, url)
  if (complaint) return { ok: false, complaint }
  return {
    ok: true,
    address: url.origin + withoutEnd(url.pathname, '/'),
    plain: url.protocol === 'http:',
    loopback: isLoopback(url.hostname),
  }
}

/** A proxy's address, `http://` added where people leave it out. Its value is never told: it may hold a password. */
function proxyAt(variable: string, value: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : null
  // A path is a mistyped slash: http:/user:password@proxy.
  if (url?.hostname && url.pathname === '/' && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new Failure('usage', `${variable} is not the address of an http proxy`, {
    hints: [
      hint`Write it like ${variable}=http://proxy.example.com:3128, or unset it. Others (socks) are not supported.`,
    ],
  })
}

function variable(env: Environment, name: string): readonly [string, string] | null {
  const found = [name, name.toUpperCase()].find((each) => env[each] !== undefined)
  const value = found === undefined ? '' : (env[found] ?? '')
  return found && value !== '' ? [found, value] : null
}

/** True for an address of a host in one of the ranges, such as 10.0.0.0/8. Names are not looked up, as with curl. */
function isInRange(hostname: string, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family === 0) return false
  return noProxy.split(/[\s,]+/).some((entry) => {
    const [, network = '', prefix] = /^\[?([\da-f.:]+)\]?(?:\/(\d{1,3}))?$/i.exec(entry) ?? []
    const length = Number(prefix ?? (family === 4 ? 32 : 128))
    if (isIP(network) !== family || length > (family === 4 ? 32 : 128)) return false
    const range = new BlockList()
    range.addSubnet(network, length, family === 4 ? 'ipv4' : 'ipv6')
    return range.check(host, family === 4 ? 'ipv4' : 'ipv6')
  })
}

export function proxiesFor(address: string, env: Environment): NonNullable<TransportSettings['proxies']> {
  const plain = address.startsWith('http:')
  const named = variable(env, plain ? 'http_proxy' : 'https_proxy')
  const proxy = named && proxyAt(...named)
  if (!proxy || (plain && !isLoopback(proxy.hostname))) return {}
  const noProxy = variable(env, 'no_proxy')?.[1]
  if (noProxy && isInRange(new URL(address).hostname, noProxy)) return {}
  return { [plain ? 'httpProxy' : 'httpsProxy']: proxy.href, ...(noProxy ? { noProxy } : {}) }
}
