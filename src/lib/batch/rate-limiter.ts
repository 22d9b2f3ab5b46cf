/** The rate of a run: requests are spread evenly over time, and a service that answers 429 pauses all of them. */
import { askedPause, unlessAborted } from '../backoff.ts'
import { type Clock, steadyNow } from '../edge.ts'
import type { Transport } from '../http/client.ts'

/** Seconds for which rows are opened ahead. */
const secondsAhead = 0.25

/** Says when the next request may leave. */
export interface RateLimit {
  /** Rows that are worth opening ahead, because they leave soon. */
  readonly mostAhead: number
  /** Milliseconds of the pause that the service asked for; 0 without one. */
  readonly pausedFor: number
  /** Resolves when the rate allows the next request; rejects with the signal's reason when that fires first. */
  mayLeave(signal: AbortSignal): Promise<void>
  /** Resolves when the pause is over; rejects as `mayLeave` does. */
  resumed(signal: AbortSignal): Promise<void>
  left(): void
}

export class RateLimiter implements RateLimit {
  readonly mostAhead: number
  readonly #clock: Clock
  /** Milliseconds between two requests; 0 without a rate. */
  readonly #interval: number
  #nextAt = 0
  #pausedUntil = 0

  /** `perSecond`: requests a second; null without a limit. */
  constructor(clock: Clock, perSecond: number | null) {
    this.#clock = clock
    this.#interval = perSecond === null ? 0 : 1000 / perSecond
    this.mostAhead = perSecond === null ? Number.POSITIVE_INFINITY : Math.ceil(perSecond * secondsAhead)
  }

  /** Takes the next turn, and resolves when it has come; rejects with the signal's reason when that fires first. */
  async pass(signal: AbortSignal): Promise<void> {
    if (this.#interval === 0) return this.resumed(signal)
    const now = this.#now()
    const turn = Math.max(now, this.#nextAt)
    this.#nextAt = turn + this.#interval
    if (turn > now) await this.#clock.sleep(turn - now, signal)
    await this.resumed(signal)
  }

  async mayLeave(signal: AbortSignal): Promise<void> {
    if (this.#interval === 0) return
    for (let wait = this.#untilNext; wait > 0; wait = this.#untilNext) await this.#clock.sleep(wait, signal)
  }

  /** A delay below the interval is made up for. After a longer one the rate begins anew, so that no burst follows. */
  left(): void {
    if (this.#interval === 0) return
    const now = this.#now()
    this.#nextAt = (now - this.#nextAt > this.#interval ? now : this.#nextAt) + this.#interval
  }

  get #untilNext(): number {
    return this.#nextAt - this.#now()
  }

  get pausedFor(): number {
    return this.#pausedUntil === 0 ? 0 : Math.max(0, this.#pausedUntil - this.#now())
  }

  async resumed(signal: AbortSignal): Promise<void> {
    for (let wait = this.pausedFor; wait > 0; wait = this.pausedFor) await this.#clock.sleep(wait, signal)
  }

  pauseFor(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + milliseconds)
    this.#nextAt = Math.max(this.#nextAt, this.#pausedUntil)
  }

  #now(): number {
    return steadyNow(this.#clock)
  }
}

/**
 * The same limit, which asks before each request whether this process may still send. `ask` may wait for a store that is busy: when
 * the run ends, rows that have not left do not wait for it.
 */
export function askingFirst(limit: RateLimit, ask: () => Promise<void>): RateLimit {
  return {
    mostAhead: limit.mostAhead,
    get pausedFor() {
      return limit.pausedFor
    },
    mayLeave: (signal) => limit.mayLeave(signal),
    resumed: (signal) => limit.resumed(signal).then(() => unlessAborted(ask(), signal)),
    left: () => limit.left(),
  }
}

/** Milliseconds of the pause after a 429 without Retry-After. */
const usualPause = 1_000
/** The longest pause that a service may ask for at once. */
const longestPause = 60_000

/** A transport whose 429 answers pause all requests of the limiter, as long as Retry-After says. */
export function pausingOn429(transport: Transport, limiter: RateLimiter, clock: Clock): Transport {
  return async (baseUrl, request, limits) => {
    const transmission = await transport(baseUrl, request, limits)
    if (transmission.kind === 'answered' && transmission.answer.status === 429) {
      const asked = askedPause(transmission.answer.headers['retry-after'] ?? null, clock.now())
      limiter.pauseFor(Math.min(asked ?? usualPause, longestPause))
    }
    return transmission
  }
}
