/**
 * The proxies of the environment, as one address may use them. The variable must fit the scheme, as with curl. Plain http
 * is for this machine only, so only a proxy on this machine may carry it: another would see the secret in the clear.
 */
import { BlockList, isIP } from 'node:net'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { TransportSettings } from '../../http/client.ts'
import type { Environment } from '../secrets/secret.ts'
import { isLoopback } from './address.ts'

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
