/**
 * Transport and relay over real sockets, by undici. Each request has a connection of its own, so that one which breaks says
 * nothing about another.
 */
import type { Dispatcher } from 'undici'
import { withoutEnd } from '../ends.ts'
import { type HttpRequest, target } from '../wire/message.ts'
import { agentFor, type TransportSettings } from './agent.ts'
import { carried, type Outgoing } from './carry.ts'
import { explain } from './explain.ts'
import type { Relay, SendLimits, Transmission, Transport } from './transport.ts'

/** The address of a request below a base URL. */
export function joined(baseUrl: string, request: HttpRequest): URL {
  return new URL(withoutEnd(baseUrl, '/') + target(request))
}

async function carriedAlone(
  settings: TransportSettings,
  address: () => URL,
  outgoing: Outgoing,
  limits: SendLimits,
): Promise<Transmission> {
  let agent: Dispatcher | undefined
  try {
    agent = agentFor(settings, limits)
    return await carried(agent, address(), outgoing, limits)
  } catch (error) {
    return { kind: 'unsent', why: explain(error) }
  } finally {
    agent?.destroy().catch(() => undefined)
  }
}

/** A request in the terms of undici. */
export function outgoingOf({ method, headers, body }: HttpRequest): Outgoing {
  return { method, headers: { 'user-agent': 'paydesk', ...headers }, body }
}

export function socketTransport(settings: TransportSettings = {}): Transport {
  return (baseUrl, request, limits) =>
    carriedAlone(settings, () => joined(baseUrl, request), outgoingOf(request), limits)
}

export function socketRelay(settings: TransportSettings = {}): Relay {
  return (address, { method, headers, body }, limits) =>
    carriedAlone(settings, () => address, { method: method as 'POST', headers: headers.flat(), body }, limits)
}
