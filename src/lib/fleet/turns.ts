/** The turns of a worker's rows, where the fleet shares a rate: they are taken from the store in slices, and given back when unused. */
import type { Clock } from '../edge.ts'
import type { Fleet } from './fleet.ts'

/** Milliseconds of turns that are taken at once. */
const slice = 500

export class Turns {
  readonly #fleet: Pick<Fleet, 'turns' | 'giveBack'>
  readonly #planId: string
  /** The database's: turns of all machines are counted by it. */
  readonly #clock: Clock
  /** Rows of a slice; 0 without a rate. */
  readonly #many: number
  /** The turns that are left, in milliseconds since 1970. */
  #left: number[] = []
  #taking: Promise<void> | null = null

  /** `rate`: rows a second of the whole fleet; null for as many as there are. */
  constructor(fleet: Pick<Fleet, 'turns' | 'giveBack'>, planId: string, rate: number | null, clock: Clock) {
    this.#fleet = fleet
    this.#planId = planId
    this.#clock = clock
    this.#many = rate === null ? 0 : Math.max(1, Math.floor((rate * slice) / 1000))
  }

  /** Resolves when it is the caller's turn; rejects with the signal's reason when it fires first. */
  async pass(signal: AbortSignal): Promise<void> {
    if (this.#many === 0) return
    while (this.#left.length === 0) {
      this.#taking ??= this.#take().finally(() => {
        this.#taking = null
      })
      await this.#taking
    }
    const turn = this.#left.shift() ?? 0
    const wait = turn - this.#clock.now()
    if (wait > 0) await this.#clock.sleep(wait, signal)
  }

  /** Gives back what is left: nothing more is sent. */
  async end(): Promise<void> {
    const unused = this.#left.length
    this.#left = []
    if (unused > 0) await this.#fleet.giveBack(this.#planId, unused)
  }

  async #take(): Promise<void> {
    const taken = await this.#fleet.turns(this.#planId, this.#many)
    const { first, between } = taken ?? { first: 0, between: 0 }
    this.#left = Array.from({ length: this.#many }, (_, at) => first + at * between)
  }
}
