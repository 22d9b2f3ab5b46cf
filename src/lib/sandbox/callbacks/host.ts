/**
 * The hosts that callbacks may go to. Names that are reserved for examples and tests are never looked up, let alone called.
 */
import type { Transport } from '../../http/client.ts'

/** RFC 2606: four endings (`.localhost` is this machine, and is called) and the second-level names for examples. */
const reserved = /(^|\.)(example|invalid|test|example\.(com|net|org))$/

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '')
}

/** The reason why nothing is sent to this address; null where it may be called. */
export function neverCalled(url: string): string | null {
  const host = hostOf(url)
  return reserved.test(host) ? `not sent: ${host} is a name for examples (RFC 2606), which nobody has` : null
}

/** A transport that reaches this machine and nothing else, whatever a resolver says. */
export function onThisMachine(transport: Transport): Transport {
  return async (baseUrl, request, limits) => {
    const host = hostOf(baseUrl)
    if (host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)) {
      return transport(baseUrl, request, limits)
    }
    return { kind: 'unsent', why: `not sent: a scenario calls this machine only, not ${host}` }
  }
}

/** True if the address is on this machine, by its name alone. */
export function isHere(url: string): boolean {
  const host = hostOf(url)
  return host === '[::1]' || /(^|\.)localhost$/.test(host) || /^127(\.\d+){3}$/.test(host)
}
