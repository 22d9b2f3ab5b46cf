/**
 * True if an address leads to this listener, under any of its names: then every callback would be forwarded to itself for
 * ever. Names are looked up only where port and path are the same.
 */
import { lookup } from 'node:dns/promises'
import { everywhere, isLoopbackAddress, isOnAnInterface, plainAddress } from '../../http/host-check.ts'
import { pathOf } from './receive.ts'

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  return found.map(({ address }) => plainAddress(address))
}

function isOfThisMachine(address: string): boolean {
  return address in everywhere || isLoopbackAddress(address) || isOnAnInterface(address)
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
