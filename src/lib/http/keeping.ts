/** Connections that are kept for the next request of a run, and how far an answer on one of them is believed. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { HttpAnswer } from '../wire/message.ts'
import { type Keeping, keepingAgentFor, type TransportSettings } from './agent.ts'
import { carried, type Outgoing } from './carry.ts'
import { explain } from './explain.ts'
import { joined, outgoingOf, socketTransport } from './socket.ts'
import type { SendLimits, Transmission, Transport } from './transport.ts'

/** True if no other request can have this answer. */
function isOwn({ status, body }: HttpAnswer, id: string): boolean {
  if (status !== 200 || body.includes('statusCode')) return false
  return body
    .toLowerCase()
    .split(/[^0-9a-z-]+/)
    .includes(id.toLowerCase())
}

/** One connection, or the means to make it. */
class Kept {
  readonly #agent: Dispatcher
  #lastUse = performance.now()
  #hasCarried = false
  #saidTooMuch = false

  constructor(settings: TransportSettings, keeping: Keeping) {
    this.#agent = keepingAgentFor(settings, keeping, () => {
      this.#saidTooMuch = true
    })
  }

  get restedTooLong(): boolean {
    return performance.now() - this.#lastUse > longestRest
  }

  /** True once another request went over it. */
  get hasCarried(): boolean {
    return this.#hasCarried
  }

  async carry(address: URL, outgoing: Outgoing, limits: SendLimits): Promise<Transmission> {
    const transmission = await carried(this.#agent, address, outgoing, limits)
    this.#hasCarried = true
    this.#lastUse = performance.now()
    return transmission
  }

  /** Listens for some milliseconds: true if more comes than was asked for. */
  async saysMore(milliseconds: number): Promise<boolean> {
    await wait(milliseconds)
    return this.#saidTooMuch
  }

  end(): void {
    this.#agent.destroy().catch(() => undefined)
  }
}

export interface KeepingTransport {
  readonly transport: Transport
  /** Ends what is still open. */
  readonly close: () => Promise<void>
}

/** Milliseconds without an answer after which no connection is used any more: the process may have slept, and they with it. */
const longestRest = 1_000

/** Milliseconds to listen at least, and at most, behind an answer that may be another request's. */
const listening = { least: 250, most: 5_000 }

/**
 * A transport that keeps connections for requests that may share one (`SendLimits.shares`); every other one has its own, as
 * ever. An answer that does not say whose it is ends its connection, and is believed on one that carried another request before
 * only if nothing follows it: a gateway that sends a request twice passes on two answers, and the second would be taken for the
 * next request's. When one of them gets no answer, none is kept from then on: a service that ends connections behind its answers,
 * and does not say so, would do it to every second request.
 */
export function keepingTransport(settings: TransportSettings, keeping: Keeping): KeepingTransport {
  const alone = socketTransport(settings)
  /** Those that nobody uses now: a request never waits for one, and so never gets one that was given up. */
  const free: Kept[] = []
  let isKept = true
  let slowest = 0
  const taken = (): Kept => {
    for (let one = free.pop(); one; one = free.pop()) {
      if (!one.restedTooLong) return one
      one.end()
    }
    return new Kept(settings, keeping)
  }
  const listeningTime = () => Math.min(Math.max(listening.least, 2 * slowest), listening.most)
  return {
    async transport(baseUrl, request, limits) {
      const { shares } = limits
      if (shares === undefined || !isKept) return alone(baseUrl, request, limits)
      let one: Kept | null = null
      try {
        one = taken()
        const { hasCarried } = one
        const transmission = await one.carry(joined(baseUrl, request), outgoingOf(request), limits)
        if (transmission.kind === 'unanswered') isKept = false
        if (transmission.kind !== 'answered') return ended(one, transmission)
        slowest = Math.max(slowest, transmission.milliseconds)
        if (isOwn(transmission.answer, shares)) {
          if (isKept) free.push(one)
          else one.end()
          return transmission
        }
        if (!hasCarried || !(await one.saysMore(listeningTime()))) return ended(one, transmission)
        isKept = false
        return ended(one, { kind: 'unanswered', why: 'more answers came than requests were sent' })
      } catch (error) {
        one?.end()
        return { kind: 'unsent', why: explain(error) }
      }
    },
    close: async () => {
      for (const one of free.splice(0)) one.end()
    },
  }
}

function ended(one: Kept, transmission: Transmission): Transmission {
  one.end()
  return transmission
}
