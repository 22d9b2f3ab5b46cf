/**
 * The proxies of the environment, as one address may use them. The variable must fit the scheme, as with curl. Plain http
 * is for this machine only, so only a proxy on this machine may carry it: another would see the secret in the clear.
 */
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { TransportSettings } from '../../http/agent.ts'
import type { Environment } from '../secrets/secret.ts'
import { isLoopback } from './address.ts'

/** A proxy's address, `http://` added where people leave it out. Its value is never told: it may hold a password. */
function proxyAt(variable: string, value: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.hostname && (url.protocol === 'http:' || url.protocol === 'https:')) return url
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

export function proxiesFor(address: string, env: Environment): NonNullable<TransportSettings['proxies']> {
  const plain = address.startsWith('http:')
  const named = variable(env, plain ? 'http_proxy' : 'https_proxy')
  const proxy = named && proxyAt(...named)
  if (!proxy || (plain && !isLoopback(proxy.hostname))) return {}
  const noProxy = variable(env, 'no_proxy')?.[1]
  return { [plain ? 'httpProxy' : 'httpsProxy']: proxy.href, ...(noProxy ? { noProxy } : {}) }
}
