/**
 * The pace of a run: one row after the other. With a rate they are spread evenly, and a service that asks for
 * patience holds all of them.
 */
import { askedPause } from '../../desk/line/repeat.ts'
import type { Clock } from '../../edge.ts'
import type { Transport } from '../../http/transport.ts'

export class Pace {
  readonly #clock: Clock
  /** Milliseconds between two rows; 0 without a rate. */
  readonly #between: number
  /** The next row's turn. */
  #next = 0
  #closedUntil = 0

  /** `perSecond`: rows a second; null for as many as there are. */
  constructor(clock: Clock, perSecond: number | null) {
    this.#clock = clock
    this.#between = perSecond === null ? 0 : 1000 / perSecond
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

  /** Resolves when nothing holds everybody back; rejects as `pass` does. */
  async opened(signal: AbortSignal): Promise<void> {
    if (this.#closedUntil === 0) return
    while (this.#closedUntil > this.#time()) {
      await this.#clock.sleep(this.#closedUntil - this.#time(), signal)
    }
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
