/**
 * Whether an address leads to this listener, under any of its names: then every callback would be forwarded to itself for
 * ever. Names are looked up only where port and path are the same.
 */
import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { pathOf } from './receive.ts'

/** What stands for every address of the machine, and which of them it is for somebody who calls it. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** One text for an address however it is written; an IPv4 address inside an IPv6 one is that IPv4 address. */
function plain(address: string): string {
  const asUrl = `http://[${address}]`
  if (!isIPv6(address) || !URL.canParse(asUrl)) return address
  const bare = new URL(asUrl).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(bare) ?? []
  if (high === undefined || low === undefined) return bare
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [one >> 8, one & 255, two >> 8, two & 255].join('.')
}

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  return found.map(({ address }) => plain(address))
}

function isOfThisMachine(address: string): boolean {
  if (address in everywhere || address === '::1' || address.startsWith('127.')) return true
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.some((each) => plain(each.address) === address)
}

/** `host` is what the listener listens on, `url` what it says it is reached by. */
export async function leadsTo(target: string, { host, url }: { readonly host: string; readonly url: string }) {
  const [there, here] = [new URL(target), new URL(url)]
  const sameDoor = (there.port || '80') === (here.port || '80') && pathOf(there.pathname) === pathOf(here.pathname)
  if (there.protocol !== 'http:' || !sameDoor) return false
  const [targets, own] = await Promise.all([addressesOf(there.hostname), addressesOf(host)])
  if (own.some((each) => each in everywhere)) return targets.some(isOfThisMachine)
  return targets.some((each) => own.includes(everywhere[each] ?? each))
}
