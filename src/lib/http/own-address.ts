/** Addresses of this machine, however they are written. */
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** The addresses that stand for all of this machine, and the one of them that a client on it calls. */
export const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** One text for an address however it is written; an IPv4 address inside an IPv6 one is that IPv4 address. */
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

/** True if a plain address is of the loopback. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)
}

/** True if one of the machine's interfaces has this plain address. */
export function isOnAnInterface(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.some((each) => plainAddress(each.address) === address)
}
