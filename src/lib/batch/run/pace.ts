/**
 * The pace of a run: one request after the other. With a rate they are spread evenly, and a service that asks for
 * patience holds all of them.
 */
import { askedPause } from '../../backoff.ts'
import type { Clock } from '../../edge.ts'
import type { Transport } from '../../http/client.ts'

/** Seconds ahead of which rows are opened. */
const ahead = 0.25

/** The departures of requests, one at a time. */
export interface Departing {
  /** Rows that leave soon: so many are worth opening. */
  readonly soon: number
  /** Milliseconds that the service still asks for, in which none leaves. */
  readonly closedFor: number
  /** Resolves when the next one may leave; rejects with the signal's reason when it fires first. */
  mayLeave(signal: AbortSignal): Promise<void>
  /** Resolves when nothing holds everybody back; rejects as `mayLeave` does. */
  opened(signal: AbortSignal): Promise<void>
  /** Called when one leaves. */
  left(): void
}

export class Pace implements Departing {
  readonly soon: number
  readonly #clock: Clock
  /** Milliseconds between two; 0 without a rate. */
  readonly #between: number
  /** The next one's turn. */
  #next = 0
  #closedUntil = 0

  /** `perSecond`: requests a second; null for as many as there are. */
  constructor(clock: Clock, perSecond: number | null) {
    this.#clock = clock
    this.#between = perSecond === null ? 0 : 1000 / perSecond
    this.soon = perSecond === null ? Number.POSITIVE_INFINITY : Math.ceil(perSecond * ahead)
  }

  /** Resolves when it is the caller's turn; rejects with the signal's reason when it fires first. */
  async pass(signal: AbortSignal): Promise<void> {
    if (this.#between === 0) return this.opened(signal)
    const now = this.#time()
    const turn = Math.max(now, this.#next)
    this.#next = turn + this.#between
    if (turn > now) await this.#clock.sleep(turn - now, signal)
    await this.opened(signal)
  }

  async mayLeave(signal: AbortSignal): Promise<void> {
    if (this.#between === 0) return
    for (let wait = this.#untilNext; wait > 0; wait = this.#untilNext) await this.#clock.sleep(wait, signal)
  }

  /** One that is late by less than the time between two is made up for. Behind a longer stall the rate begins anew: nothing bursts out. */
  left(): void {
    if (this.#between === 0) return
    const now = this.#time()
    this.#next = (now - this.#next > this.#between ? now : this.#next) + this.#between
  }

  get #untilNext(): number {
    return this.#next - this.#time()
  }

  get closedFor(): number {
    return this.#closedUntil === 0 ? 0 : Math.max(0, this.#closedUntil - this.#time())
  }

  async opened(signal: AbortSignal): Promise<void> {
    for (let wait = this.closedFor; wait > 0; wait = this.closedFor) await this.#clock.sleep(wait, signal)
  }

  /** Lets nobody through for so many milliseconds. */
  closeFor(milliseconds: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, this.#time() + milliseconds)
    this.#next = Math.max(this.#next, this.#closedUntil)
  }

  /** Milliseconds that a clock which is set back does not take back, where the system has such. */
  #time(): number {
    return this.#clock.steady()?.milliseconds ?? this.#clock.now()
  }
}

/** Milliseconds that a 429 without Retry-After holds everybody for. */
const usualPatience = 1_000
/** The longest time that a service may ask for at once. */
const longestPatience = 60_000

/** A transport whose answers slow the whole run down: 429 holds everybody as long as it asks for. */
export function heeding(transport: Transport, pace: Pace, clock: Clock): Transport {
  return async (baseUrl, request, limits) => {
    const transmission = await transport(baseUrl, request, limits)
    if (transmission.kind === 'answered' && transmission.answer.status === 429) {
      const asked = askedPause(transmission.answer.headers['retry-after'] ?? null, clock.now())
      pace.closeFor(Math.min(asked ?? usualPatience, longestPatience))
    }
    return transmission
  }
}
