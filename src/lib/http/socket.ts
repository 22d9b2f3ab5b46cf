/**
 * Transport and relay over real sockets, by undici. Each request has a connection of its own, so that one which breaks says
 * nothing about another; a run of many may keep connections for what is sent for the first time.
 */
import type { Dispatcher } from 'undici'
import { withoutEnd } from '../ends.ts'
import { type HttpAnswer, type HttpRequest, target } from '../wire/message.ts'
import { agentFor, type Keeping, keepingAgentFor, type TransportSettings } from './agent.ts'
import { carried, type Outgoing } from './carry.ts'
import { explain } from './explain.ts'
import type { Relay, SendLimits, Transmission, Transport } from './transport.ts'

function joined(baseUrl: string, request: HttpRequest): URL {
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

function outgoingOf({ method, headers, body }: HttpRequest): Outgoing {
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

/** True if no other request can have this answer. */
function isOwn({ status, body }: HttpAnswer, id: string): boolean {
  if (status !== 200 || body.includes('statusCode')) return false
  return body
    .toLowerCase()
    .split(/[^0-9a-z-]+/)
    .includes(id.toLowerCase())
}

/** One connection, or the means to make it. */
interface Kept {
  readonly agent: Dispatcher
  readonly lastUse: number
}

export interface KeepingTransport {
  readonly transport: Transport
  /** Ends what is still open. */
  readonly close: () => Promise<void>
}

/** Milliseconds without an answer after which no connection is used any more: the process may have slept, and they with it. */
const longestRest = 1_000

/**
 * A transport that keeps connections for requests that may share one (`SendLimits.shares`); every other one has its own, as
 * ever. An answer that does not say whose it is ends its connection. When one of them gets no answer, none is kept from then on: a service that ends connections behind its answers, and
 * does not say so, would do it to every second request.
 */
export function keepingTransport(settings: TransportSettings, keeping: Keeping): KeepingTransport {
  const alone = socketTransport(settings)
  /** Those that nobody uses now: a request never waits for one, and so never gets one that was given up. */
  const free: Kept[] = []
  let isKept = true
  const taken = (): Kept => {
    const now = performance.now()
    for (let one = free.pop(); one; one = free.pop()) {
      if (now - one.lastUse <= longestRest) return one
      end(one)
    }
    return { agent: keepingAgentFor(settings, keeping), lastUse: now }
  }
  const end = ({ agent }: Kept) => {
    agent.destroy().catch(() => undefined)
  }
  return {
    async transport(baseUrl, request, limits) {
      const { shares } = limits
      if (shares === undefined || !isKept) return alone(baseUrl, request, limits)
      let one: Kept | null = null
      try {
        one = taken()
        const transmission = await carried(one.agent, joined(baseUrl, request), outgoingOf(request), limits)
        if (transmission.kind === 'unanswered') isKept = false
        if (isKept && transmission.kind === 'answered' && isOwn(transmission.answer, shares)) {
          free.push({ agent: one.agent, lastUse: performance.now() })
        } else end(one)
        return transmission
      } catch (error) {
        if (one) end(one)
        return { kind: 'unsent', why: explain(error) }
      }
    },
    close: async () => {
      await Promise.all(free.splice(0).map(({ agent }) => agent.destroy()))
    },
  }
}
