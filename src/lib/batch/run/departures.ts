/**
 * The departures of a run. Rows are opened in the journal ahead of a free lane, and recorded behind it, so that none waits for the
 * disk; they leave one after the other, each when there is a lane, at the rate of the run, and not while the service asks for
 * patience. Not more of them wait than one round fills, for what waits was held in the journal, and is called off with the run.
 */
import type { PlaceInLine } from '../../desk/desk.ts'
import type { Clock } from '../../edge.ts'
import { certainlyPassed, kept, momentOf } from '../../journal/moment.ts'
import type { Lanes } from './lanes.ts'
import type { Departing } from './pace.ts'

/** The place of one row. */
export interface RowPlace extends PlaceInLine {
  /** Called when the row has ended. */
  end(): void
}

export class Departures {
  readonly #lanes: Lanes
  readonly #pace: Departing
  readonly #clock: Clock
  readonly #ended: AbortSignal
  readonly #stopped: AbortSignal
  /** Rows that may be opened ahead. */
  readonly #most: number
  #ahead = 0
  readonly #waiting: (() => void)[] = []
  /** Resolves when all that came before have left. */
  #last: Promise<void> = Promise.resolve()

  /** `ended` fires when the run ends: what is called off then waits no longer. `stopped` fires when nothing is to wait any more. */
  constructor(lanes: Lanes, pace: Departing, clock: Clock, ended: AbortSignal, stopped: AbortSignal) {
    this.#lanes = lanes
    this.#pace = pace
    this.#clock = clock
    this.#ended = ended
    this.#stopped = stopped
    this.#most = Math.min(lanes.count, pace.soon)
  }

  /** Resolves with the place of one more row, when it may be opened: first come, first served. */
  async place(): Promise<RowPlace> {
    if (this.#ahead < this.#most) this.#ahead += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.#placeOf()
  }

  #placeOf(): RowPlace {
    let [waited, isAhead] = [0, true]
    const end = () => {
      if (isAhead) this.#isOff()
      isAhead = false
    }
    return {
      get waited() {
        return waited
      },
      end,
      within: async (work, isCalledOff) => {
        const since = kept(momentOf(this.#clock))
        await this.#lanes.round()
        await this.#turn(isCalledOff)
        waited += Math.max(0, certainlyPassed(since, momentOf(this.#clock)))
        end()
        try {
          return await work()
        } finally {
          await this.#lanes.give()
        }
      },
    }
  }

  /** Resolves with a lane, when all that came before have left, and the next one may. */
  async #turn(isCalledOff: () => boolean): Promise<void> {
    const before = this.#last
    let leave: () => void = () => undefined
    this.#last = new Promise((resolve) => {
      leave = resolve
    })
    await before
    try {
      await this.#waited(isCalledOff, (signal) => this.#pace.mayLeave(signal))
      await this.#lanes.take()
      await this.#waited(isCalledOff, (signal) => this.#pace.opened(signal))
      if (!isCalledOff()) this.#pace.left()
    } finally {
      leave()
    }
  }

  /** A run that ends lets through what is called off. What may have been executed waits as before. */
  async #waited(isCalledOff: () => boolean, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await wait(this.#ended).catch(async () => {
      if (!isCalledOff()) await wait(this.#stopped).catch(() => undefined)
    })
  }

  /** One that was ahead has left. */
  #isOff(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#ahead -= 1
  }
}
