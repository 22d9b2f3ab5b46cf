/** Host names as they stand in a Host header, in an Origin and behind --allow-host, in one spelling. */
import { isIP } from 'node:net'
import { Failure } from '../failure.ts'
import { plainAddress } from './own-address.ts'

export interface Authority {
  /** In lower case, without a dot at its end; a plain address where it is one. */
  readonly name: string
  /** Null where none is written. */
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

/** Null where it is no host with or without a port. */
export function readAuthority(text: string): Authority | null {
  const [, host = '', port] = (text.length <= longestName + 10 && form.exec(text)) || []
  // As a browser writes it: letters of other scripts and odd numbers become the name or address that they stand for.
  if (host === '' || !URL.canParse(`http://${host}`)) return null
  const name = plainName(new URL(`http://${host}`).hostname)
  return name === null ? null : { name, port: port === undefined ? null : Number(port) }
}

/** The names behind --allow-host. Throws Failure('usage'). */
export function readAllowedHosts(typed: readonly string[]): ReadonlySet<string> {
  const read = typed.map((each) => {
    const authority = readAuthority(isIP(each) === 6 ? `[${each}]` : each)
    if (authority && authority.port === null) return authority.name
    throw new Failure('usage', '--allow-host takes a host name like shop.example, without https://, port or path')
  })
  return new Set(read)
}
