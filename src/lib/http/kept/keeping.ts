/** Connections that are kept for the next request of a run, and how far an answer on one of them is believed. */

import type { TransportSettings } from '../agent.ts'
import { carried, type Outgoing } from '../carry.ts'
import { explain } from '../explain.ts'
import type { HttpAnswer } from '../message.ts'
import type { Overheard } from '../overheard.ts'
import { joined, outgoingOf, socketTransport } from '../socket.ts'
import type { Probe, SendLimits, SharedLine, Transmission, Transport } from '../transport.ts'
import { type Keeper, type Keeping, keepingAgentFor } from './keeper.ts'

const plainId = /^[0-9a-z-]+$/i

/** True if no other request can have this answer. */
function isOwn({ status, body }: HttpAnswer, id: string): boolean {
  if (status !== 200 || body.includes('statusCode')) return false
  // Nearly all answers have it as a text of JSON; what is done below takes longer.
  if (plainId.test(id) && body.includes(`"${id}"`)) return true
  return body
    .toLowerCase()
    .split(/[^0-9a-z-]+/)
    .includes(id.toLowerCase())
}

/** Statuses of a service that did not look at the request. */
const turningAway: ReadonlySet<number> = new Set([401, 429])

function turnsAwayLike(one: HttpAnswer, other: HttpAnswer): boolean {
  return turningAway.has(one.status) && one.status === other.status && one.body === other.body
}

/** One connection, or the means to make it. */
class Kept {
  readonly origin: string
  readonly #keeper: Keeper
  #last: Overheard | null = null
  #lastUse = performance.now()
  #carried = 0

  constructor(settings: TransportSettings, origin: string, keeping: Keeping) {
    this.origin = origin
    this.#keeper = keepingAgentFor(settings, origin, keeping)
  }

  get restedTooLong(): boolean {
    return performance.now() - this.#lastUse > longestRest
  }

  /** True if another request went over the connection before the last one. */
  get hasCarriedOthers(): boolean {
    return this.#carried > 1
  }

  async carry(address: URL, outgoing: Outgoing, limits: SendLimits): Promise<Transmission> {
    const transmission = await carried(this.#keeper.agent, address, outgoing, limits)
    const connection = this.#keeper.connection()
    this.#carried = connection === this.#last ? this.#carried + 1 : 1
    this.#last = connection
    this.#lastUse = performance.now()
    return transmission
  }

  /**
   * Sends a probe behind the last request, as the last one of its connection: true if its answer is the next one there, and no other
   * stands behind it. One that turns away as the last one did will do as well: whichever of the two is whose, neither request was
   * executed.
   */
  async isLast({ request, isAnswer }: Probe, last: Answered, baseUrl: string, limits: SendLimits): Promise<boolean> {
    const connection = this.#last
    // It asks what came of one that has left: what speaks against sending more does not speak against it.
    const asked = await this.carry(joined(baseUrl, request), outgoingOf(request, true), {
      ...limits,
      objection: () => null,
    })
    if (asked.kind !== 'answered' || connection === null || connection !== this.#last) return false
    if (!turnsAwayLike(last.answer, asked.answer) && !(await isAnswer(asked.answer))) return false
    return !(await connection.saysMore(Math.max(last.milliseconds, asked.milliseconds), limits.signal))
  }

  end(): void {
    this.#keeper.end()
  }
}

type Answered = Extract<Transmission, { kind: 'answered' }>

export interface KeepingTransport {
  readonly transport: Transport
  /** Ends what is still open. */
  readonly close: () => Promise<void>
}

/** Milliseconds without an answer after which no connection is used any more: the process may have slept, and they with it. */
const longestRest = 1_000

/**
 * A transport that keeps connections for requests that may share one (`SendLimits.shares`); every other one has its own, as
 * ever. An answer that does not say whose it is ends its connection, and is believed only if a probe shows that no other one is
 * missing: a gateway that sends a request twice passes on two answers, and the second would be taken for the next request's.
 * When one of them gets no answer, or none that is believed, none is kept from then on: a service that ends connections behind
 * its answers, and does not say so, would do it to every second request.
 */
export function keepingTransport(settings: TransportSettings, keeping: Keeping): KeepingTransport {
  const alone = socketTransport(settings)
  /** Those that nobody uses now: a request never waits for one, and so never gets one that was given up. */
  const free: Kept[] = []
  let isKept = true
  const taken = (origin: string): Kept => {
    for (let one = free.pop(); one; one = free.pop()) {
      if (!one.restedTooLong && one.origin === origin) return one
      one.end()
    }
    return new Kept(settings, origin, keeping)
  }
  const believed = async (one: Kept, shares: SharedLine, answered: Answered, baseUrl: string, limits: SendLimits) => {
    const { probe } = shares
    // A probe that cannot be asked proves nothing.
    const asked = probe && one.isLast(probe, answered, baseUrl, limits).catch(() => false)
    if (asked ? await asked : !one.hasCarriedOthers) return answered
    isKept = false
    return doubtful
  }
  return {
    async transport(baseUrl, request, limits) {
      const { shares } = limits
      if (shares === undefined || !isKept) return alone(baseUrl, request, limits)
      let one: Kept | null = null
      try {
        const address = joined(baseUrl, request)
        one = taken(address.origin)
        const transmission = await one.carry(address, outgoingOf(request), limits)
        if (transmission.kind === 'unanswered') isKept = false
        if (transmission.kind !== 'answered') return ended(one, transmission)
        if (!isOwn(transmission.answer, shares.id))
          return ended(one, await believed(one, shares, transmission, baseUrl, limits))
        if (isKept) free.push(one)
        else one.end()
        return transmission
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

const doubtful: Transmission = {
  kind: 'unanswered',
  why: 'an answer came that does not say whose it is, on a connection that carries several',
}

function ended(one: Kept, transmission: Transmission): Transmission {
  one.end()
  return transmission
}
