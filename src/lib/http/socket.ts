/**
 * Transport and relay over real sockets, by undici. Each request has a connection of its own, so that one which breaks says
 * nothing about another.
 */

import { withoutEnd } from '../ends.ts'
import { agentFor, type OneShot, type TransportSettings } from './agent.ts'
import { carried, type Outgoing } from './carry.ts'
import { explain } from './explain.ts'
import { type HttpRequest, target } from './message.ts'
import type { Overheard } from './overheard.ts'
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
  let one: OneShot | undefined
  try {
    one = agentFor(settings, limits)
    const transmission = await carried(one.agent, address(), outgoing, limits)
    return await alone(withPhases(transmission, one), one.connection(), limits)
  } catch (error) {
    return { kind: 'unsent', why: explain(error) }
  } finally {
    one?.end()
  }
}

/** An answer with the time that its connection took. */
function withPhases(transmission: Transmission, { connecting }: OneShot): Transmission {
  if (transmission.kind !== 'answered' || !transmission.phases) return transmission
  return { ...transmission, phases: { ...transmission.phases, ...connecting()?.phases } }
}

/** An answer that settles nothing by itself is none if more comes behind it. */
async function alone(
  transmission: Transmission,
  connection: Overheard | null,
  { settles, signal }: SendLimits,
): Promise<Transmission> {
  if (transmission.kind !== 'answered' || settles === undefined || connection === null) return transmission
  try {
    if (await settles(transmission.answer)) return transmission
    return (await connection.saysMore(transmission.milliseconds, signal)) ? answeredTwice : transmission
  } catch (error) {
    return { kind: 'unanswered', why: explain(error) }
  }
}

/** One answer too many: nobody knows which of them is that of the request. */
export const answeredTwice: Transmission = {
  kind: 'unanswered',
  why: 'more answers came than requests were sent',
}

/** A request in the terms of undici. With `reset` the service ends its connection behind the answer: so the end tells that nothing follows. */
export function outgoingOf({ method, headers, body }: HttpRequest, reset = false): Outgoing {
  return { method, headers: { 'user-agent': 'paydesk', ...headers }, body, reset }
}

export function socketTransport(settings: TransportSettings = {}): Transport {
  return (baseUrl, request, limits) =>
    carriedAlone(settings, () => joined(baseUrl, request), outgoingOf(request, true), limits)
}

export function socketRelay(settings: TransportSettings = {}): Relay {
  return (address, { method, headers, body }, limits) =>
    carriedAlone(settings, () => address, { method: method as 'POST', headers: headers.flat(), body }, limits)
}
