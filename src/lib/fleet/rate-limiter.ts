/** The turns of a worker's rows, where the fleet shares a rate: they are taken from the store in slices, and given back when unused. */

import { Pace } from '../batch/rate-limiter.ts'
import type { RunParts } from '../batch/run.ts'
import { unlessAbandoned } from '../desk/line/abandoned.ts'
import type { Clock } from '../edge.ts'
import type { Fleet } from './fleet.ts'

/** Milliseconds of turns that are taken at once. */
const slice = 500

/** Milliseconds after which a turn that was not used is over: behind a pause or a stall nothing is made up for. */
const longestLate = 250

export class Turns {
  readonly #fleet: Pick<Fleet, 'turns' | 'giveBack'>
  readonly #planId: string
  /** The database's: turns of all machines are counted by it. */
  readonly #clock: Clock
  /** Rows of a slice; 0 without a rate. */
  readonly #many: number
  /** Milliseconds by which a turn may be late. */
  readonly #late: number
  /** The turns that are left, in milliseconds since 1970. */
  #left: number[] = []
  #taking: Promise<void> | null = null

  /** `rate`: rows a second of the whole fleet; null for as many as there are. */
  constructor(fleet: Pick<Fleet, 'turns' | 'giveBack'>, planId: string, rate: number | null, clock: Clock) {
    this.#fleet = fleet
    this.#planId = planId
    this.#clock = clock
    this.#many = rate === null ? 0 : Math.max(1, Math.floor((rate * slice) / 1000))
    this.#late = rate === null ? 0 : Math.max(longestLate, 1000 / rate)
  }

  /** Resolves when it is the caller's turn; rejects with the signal's reason when it fires first. */
  async pass(signal: AbortSignal): Promise<void> {
    if (this.#many === 0) return
    const wait = (await this.#next()) - this.#clock.now()
    if (wait > 0) await this.#clock.sleep(wait, signal)
  }

  /** Gives back what is left: nothing more is sent. */
  async end(): Promise<void> {
    const unused = this.#left.length
    this.#left = []
    if (unused > 0) await this.#fleet.giveBack(this.#planId, unused)
  }

  /** The next turn that is not over. */
  async #next(): Promise<number> {
    for (;;) {
      while (this.#left.length === 0) {
        this.#taking ??= this.#take().finally(() => {
          this.#taking = null
        })
        await this.#taking
      }
      const turn = this.#left.shift() ?? 0
      if (turn === 0 || this.#clock.now() - turn <= this.#late) return turn
    }
  }

  async #take(): Promise<void> {
    const taken = await this.#fleet.turns(this.#planId, this.#many)
    const { first, between } = taken ?? { first: 0, between: 0 }
    this.#left = Array.from({ length: this.#many }, (_, at) => first + at * between)
  }
}

// The pace of a worker's rows: the fleet's turns, what the service asks of this machine, and what the fleet has been told meanwhile.

/**
 * `rate`: rows a second of the fleet; null for as many as there are. `machine` is held while the service asks this machine for
 * patience. `ask` resolves when it is known whether the fleet still sends.
 */
export function pacing(
  turns: Turns,
  machine: Pace,
  ask: () => Promise<void>,
  clock: Clock,
  rate: number | null,
): RunParts['pace'] {
  // The rows of a chunk keep to the rate by themselves, too: behind a stall their turns lie close together.
  const own = new Pace(clock, rate)
  const opened = (until: AbortSignal) => machine.opened(until).then(() => unlessAbandoned(ask(), until))
  return {
    soon: own.soon,
    get closedFor() {
      return machine.closedFor
    },
    pass: opened,
    async mayLeave(until) {
      // A row that is open leaves though the store of the turns is away by now.
      await unlessAbandoned(turns.pass(until), until).catch(() => until.throwIfAborted())
      await own.mayLeave(until)
    },
    opened,
    left: () => own.left(),
  }
}
