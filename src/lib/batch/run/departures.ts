/**
 * The departures of a run. Rows are opened in the journal ahead of a free lane, and recorded behind it, so that none waits for the
 * disk; they leave one after the other, each when there is a lane, at the rate of the run, and not while the service asks for
 * patience, nor while rows in a row have no answer. Not more of them wait than one round fills, for what waits was held in the
 * journal, and is called off with the run.
 */
import type { PlaceInLine } from '../../client/exchange.ts'
import type { Clock } from '../../edge.ts'
import type { Failure } from '../../failure.ts'
import { minElapsed, momentOf, type StoredMoment, storeMoment } from '../../journal/moment.ts'
import type { RowState } from '../rows/row-states.ts'
import type { Lanes } from './lanes.ts'
import type { Departing } from './pace.ts'
import { Silence } from './silence.ts'

/** The place of one row. */
export interface RowPlace extends PlaceInLine {
  /** Called when the outcome of the row is known: the state it has, and the failure that told it. */
  over(state: RowState, failure: Failure | null): void
  /** Called when nothing more is done for the row. */
  end(): void
}

/** The rows of a run that are under way, as people are told of them. */
export interface UnderWay {
  /** Rows that may have been executed, have no definite answer yet, and are sent once more under the same id. */
  readonly open: number
  /** Those of them that are not at the service now. */
  readonly pausing: number
  /** Rows that are at the service now, whether they were sent before or not. */
  readonly atService: number
  /** True while no new row leaves because of them. */
  readonly holdsBack: boolean
  /** True when the run sends nothing new any more. */
  readonly isEnding: boolean
  /** Milliseconds that the service still asks for, in which none of them leaves. */
  readonly closedFor: number
}

export class Departures {
  readonly #lanes: Lanes
  readonly #pace: Departing
  readonly #clock: Clock
  readonly #ended: AbortSignal
  readonly #stopped: AbortSignal
  /** Rows that may be opened ahead. */
  readonly #most: number
  readonly #silence = new Silence()
  readonly #open = new Set<object>()
  readonly #atService = new Set<object>()
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

  get underWay(): UnderWay {
    const pausing = [...this.#open].filter((row) => !this.#atService.has(row)).length
    return {
      open: this.#open.size,
      pausing,
      atService: this.#atService.size,
      holdsBack: this.#isSilent,
      isEnding: this.#ended.aborted,
      closedFor: this.#pace.closedFor,
    }
  }

  /** True while nothing new leaves, nor is opened: too many others have no answer, and the run goes on. */
  get #isSilent(): boolean {
    return this.#silence.isLong && !this.#ended.aborted
  }

  /** Resolves when new rows leave, or the run has ended. */
  async #broken(): Promise<void> {
    while (this.#isSilent) await this.#silence.end(this.#ended).catch(() => undefined)
  }

  /** Resolves with the place of one more row, when it may be opened: first come, first served. */
  async place(): Promise<RowPlace> {
    if (this.#ahead < this.#most) this.#ahead += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await this.#broken()
    return this.#placeOf()
  }

  #placeOf(): RowPlace {
    let [waited, isAhead] = [0, true]
    let waitsSince: StoredMoment | null = null
    const row = {}
    const waiting = () => (waitsSince === null ? 0 : Math.max(0, minElapsed(waitsSince, momentOf(this.#clock))))
    const off = () => {
      if (isAhead) this.#isOff()
      isAhead = false
    }
    return {
      get waited() {
        return waited + waiting()
      },
      sentAgain: (isUnanswered) => {
        this.#open.add(row)
        if (isUnanswered) this.#silence.add(row)
      },
      over: (state, failure) => {
        this.#open.delete(row)
        this.#silence.over(row, state, failure)
      },
      end: () => {
        off()
        this.#open.delete(row)
        this.#silence.forget(row)
      },
      within: async (work, isCalledOff) => {
        waitsSince = storeMoment(momentOf(this.#clock))
        await this.#lanes.round()
        await this.#lane(isAhead, isCalledOff)
        waited += waiting()
        waitsSince = null
        off()
        this.#atService.add(row)
        try {
          return await work()
        } finally {
          this.#atService.delete(row)
          await this.#lanes.give()
        }
      },
    }
  }

  /** Resolves with a lane. One that `isNew` waits while nothing new leaves. */
  async #lane(isNew: boolean, isCalledOff: () => boolean): Promise<void> {
    const isHeldBack = () => isNew && this.#isSilent
    do {
      if (isNew) await this.#broken()
    } while (!(await this.#turn(isCalledOff, isHeldBack)))
  }

  /** Resolves with true and a lane, when all that came before have left, and the next one may; with false if it is held back by then. */
  async #turn(isCalledOff: () => boolean, isHeldBack: () => boolean): Promise<boolean> {
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
      if (isHeldBack()) {
        await this.#lanes.give()
        return false
      }
      if (!isCalledOff()) this.#pace.left()
      return true
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
