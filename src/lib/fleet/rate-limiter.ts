/** The rate of a plan that a whole fleet shares: workers take turns from the store, many at a time, and give unused ones back. */
import { unlessAborted } from '../backoff.ts'
import { askingFirst, type RateLimit, RateLimiter } from '../batch/rate-limiter.ts'
import type { Clock } from '../edge.ts'
import type { Fleet } from './fleet.ts'

/** Milliseconds of turns that are taken at once. */
const slice = 500

/** Milliseconds after which an unused turn is lost: after a pause or a delay no burst follows. */
const longestDelay = 250

export class SharedRate {
  readonly #fleet: Pick<Fleet, 'turns' | 'giveBack'>
  readonly #planId: string
  /** The clock of the store, which counts the turns of all machines. */
  readonly #clock: Clock
  /** Turns that are taken at once; 0 without a rate. */
  readonly #many: number
  /** Milliseconds by which a turn may be late. */
  readonly #longestDelay: number
  /** The turns that are left, in milliseconds since 1970. */
  #left: number[] = []
  #taking: Promise<void> | null = null

  /** `rate`: rows a second of the whole fleet; null without a limit. */
  constructor(fleet: Pick<Fleet, 'turns' | 'giveBack'>, planId: string, rate: number | null, clock: Clock) {
    this.#fleet = fleet
    this.#planId = planId
    this.#clock = clock
    this.#many = rate === null ? 0 : Math.max(1, Math.floor((rate * slice) / 1000))
    this.#longestDelay = rate === null ? 0 : Math.max(longestDelay, 1000 / rate)
  }

  /** Takes the next turn, and resolves when it has come; rejects with the signal's reason when that fires first. */
  async pass(signal: AbortSignal): Promise<void> {
    if (this.#many === 0) return
    const wait = (await this.#next()) - this.#clock.now()
    if (wait > 0) await this.#clock.sleep(wait, signal)
  }

  /** Gives the unused turns back: nothing more is sent. */
  async end(): Promise<void> {
    const unused = this.#left.length
    this.#left = []
    if (unused > 0) await this.#fleet.giveBack(this.#planId, unused)
  }

  async #next(): Promise<number> {
    for (;;) {
      while (this.#left.length === 0) {
        this.#taking ??= this.#take().finally(() => {
          this.#taking = null
        })
        await this.#taking
      }
      const turn = this.#left.shift() ?? 0
      if (turn === 0 || this.#clock.now() - turn <= this.#longestDelay) return turn
    }
  }

  async #take(): Promise<void> {
    const taken = await this.#fleet.turns(this.#planId, this.#many)
    const { first, between } = taken ?? { first: 0, between: 0 }
    this.#left = Array.from({ length: this.#many }, (_, at) => first + at * between)
  }
}

/**
 * The limit for a worker's rows: the turns of the fleet, and the pauses that the service asks of this machine. `ask` resolves when
 * it is known whether the fleet still sends the plan.
 */
export function fleetRateLimit(
  shared: SharedRate,
  machine: RateLimiter,
  ask: () => Promise<void>,
  clock: Clock,
  rate: number | null,
): RateLimit {
  // A chunk keeps to the rate by itself, too: after a delay the turns of the fleet lie close together.
  const own = new RateLimiter(clock, rate)
  const limit: RateLimit = {
    mostAhead: own.mostAhead,
    get pausedFor() {
      return machine.pausedFor
    },
    async mayLeave(signal) {
      // An opened row leaves although the store of the turns is away by now.
      await unlessAborted(shared.pass(signal), signal).catch(() => signal.throwIfAborted())
      await own.mayLeave(signal)
    },
    resumed: (signal) => machine.resumed(signal),
    left: () => own.left(),
  }
  return askingFirst(limit, ask)
}
