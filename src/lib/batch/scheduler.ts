/**
 * Decides which row of a run goes to the service next. Rows are opened in the journal before a request is free for them, and
 * recorded behind it, so that no request waits for the disk. They leave one after the other: when a request is free, at the rate
 * of the run, not while the service asks for a pause, and not while too many rows have no answer. Few rows are opened ahead,
 * because the limits of the journal hold their money until they leave or the run ends.
 */

import { EventEmitter, once } from 'node:events'
import type { PlaceInLine } from '../client/exchange.ts'
import type { Clock } from '../edge.ts'
import type { Failure } from '../failure.ts'
import { type Moment, minElapsed, momentOf } from '../journal/moment.ts'
import type { RateLimit } from './rate-limiter.ts'
import type { RowState } from './row-state.ts'
import { answerOf, longestOutage } from './stop.ts'

/** The place of one row among the requests of a run. */
export interface RowSlot extends PlaceInLine {
  /** Called when the outcome of the row is known: its state, and the failure that told it. */
  over(state: RowState, failure: Failure | null): void
  /** Called when nothing more is done for the row. */
  end(): void
}

/** The rows of a run that are under way, for the progress line. */
export interface RowsUnderWay {
  /** Rows that may have been executed, have no definite answer yet, and are sent once more under the same id. */
  readonly open: number
  /** Rows among the open ones that wait for their next attempt. */
  readonly pausing: number
  /** Rows whose request is at the service now. */
  readonly atService: number
  /** True while no new row leaves because too many are open. */
  readonly holdsBack: boolean
  /** True when the run sends nothing new any more. */
  readonly isEnding: boolean
  /** Milliseconds of the pause that the service asked for. */
  readonly pausedFor: number
}

export class Scheduler {
  readonly #limiter: ConcurrencyLimiter
  readonly #rate: RateLimit
  readonly #clock: Clock
  readonly #ended: AbortSignal
  readonly #stopped: AbortSignal
  /** Rows that may be opened ahead. */
  readonly #mostAhead: number
  readonly #breaker = new CircuitBreaker()
  readonly #open = new Set<object>()
  readonly #atService = new Set<object>()
  #ahead = 0
  readonly #waiting: (() => void)[] = []
  /** Resolves when all earlier rows have left. */
  #lastTurn: Promise<void> = Promise.resolve()

  /** `ended` fires when the run ends: rows that were not sent stop waiting. `stopped` fires when all rows stop waiting. */
  constructor(limiter: ConcurrencyLimiter, rate: RateLimit, clock: Clock, ended: AbortSignal, stopped: AbortSignal) {
    this.#limiter = limiter
    this.#rate = rate
    this.#clock = clock
    this.#ended = ended
    this.#stopped = stopped
    this.#mostAhead = Math.min(limiter.limit, rate.mostAhead)
  }

  get underWay(): RowsUnderWay {
    const pausing = [...this.#open].filter((row) => !this.#atService.has(row)).length
    return {
      open: this.#open.size,
      pausing,
      atService: this.#atService.size,
      holdsBack: this.#holdsBack,
      isEnding: this.#ended.aborted,
      pausedFor: this.#rate.pausedFor,
    }
  }

  /** True while no new row leaves or is opened, because too many rows have no answer. */
  get #holdsBack(): boolean {
    return this.#breaker.isOpen && !this.#ended.aborted
  }

  async #untilAnswered(): Promise<void> {
    while (this.#holdsBack) await this.#breaker.untilClosed(this.#ended).catch(() => undefined)
  }

  /** Resolves when one more row may be opened: first come, first served. */
  async slot(): Promise<RowSlot> {
    if (this.#ahead < this.#mostAhead) this.#ahead += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await this.#untilAnswered()
    return this.#newSlot()
  }

  #newSlot(): RowSlot {
    let [waited, isAhead] = [0, true]
    let waitsSince: Moment | null = null
    const row = {}
    const waiting = () => (waitsSince === null ? 0 : Math.max(0, minElapsed(waitsSince, momentOf(this.#clock))))
    const leaveQueue = () => {
      if (isAhead) this.#admitNext()
      isAhead = false
    }
    return {
      get waited() {
        return waited + waiting()
      },
      sentAgain: (isUnanswered) => {
        this.#open.add(row)
        if (isUnanswered) this.#breaker.add(row)
      },
      over: (state, failure) => {
        this.#open.delete(row)
        this.#breaker.over(row, state, failure)
      },
      end: () => {
        leaveQueue()
        this.#open.delete(row)
        this.#breaker.forget(row)
      },
      within: async (work, isCalledOff) => {
        waitsSince = momentOf(this.#clock)
        await this.#limiter.yield()
        await this.#mayLeave(isAhead, isCalledOff)
        waited += waiting()
        waitsSince = null
        leaveQueue()
        this.#atService.add(row)
        try {
          return await work()
        } finally {
          this.#atService.delete(row)
          await this.#limiter.release()
        }
      },
    }
  }

  /** Resolves with a free request. A row that `isNew` waits while new rows are held back. */
  async #mayLeave(isNew: boolean, isCalledOff: () => boolean): Promise<void> {
    const isHeldBack = () => isNew && this.#holdsBack
    do {
      if (isNew) await this.#untilAnswered()
    } while (!(await this.#turn(isCalledOff, isHeldBack)))
  }

  /** Waits for earlier rows, the rate and a free request. False if the row is held back by then: it has to wait anew. */
  async #turn(isCalledOff: () => boolean, isHeldBack: () => boolean): Promise<boolean> {
    const before = this.#lastTurn
    let leave: () => void = () => undefined
    this.#lastTurn = new Promise((resolve) => {
      leave = resolve
    })
    await before
    try {
      await this.#wait(isCalledOff, (signal) => this.#rate.mayLeave(signal))
      await this.#limiter.acquire()
      await this.#wait(isCalledOff, (signal) => this.#rate.resumed(signal))
      if (isHeldBack()) {
        await this.#limiter.release()
        return false
      }
      if (!isCalledOff()) this.#rate.left()
      return true
    } finally {
      leave()
    }
  }

  /** When the run ends, a row that was called off waits no longer; one that may have been executed waits as before. */
  async #wait(isCalledOff: () => boolean, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    await wait(this.#ended).catch(async () => {
      if (!isCalledOff()) await wait(this.#stopped).catch(() => undefined)
    })
  }

  #admitNext(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#ahead -= 1
  }
}

/** Limits the requests that are at the service at the same time. */
export class ConcurrencyLimiter {
  readonly limit: number
  #free: number
  readonly #waiting: (() => void)[] = []
  readonly #turns: EventLoopTurns | null

  /** `turns`: null where no answer comes from outside of this process. */
  constructor(limit: number, turns: EventLoopTurns | null = null) {
    this.limit = limit
    this.#free = limit
    this.#turns = turns
  }

  /** Resolves when there is time for work that no request waits for. */
  async yield(): Promise<void> {
    await this.#turns?.own()
  }

  /** Resolves when a request is free: first come, first served. */
  async acquire(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Resolves when the next request has left: before the answer of this one is read. */
  async release(): Promise<void> {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
    await this.#turns?.next()
  }
}

/**
 * Turns of the event loop for work that no request waits for, such as opening rows in the journal: one piece a turn. Answers and
 * signals that came meanwhile go first, so requests leave on time however much there is to record.
 */
export class EventLoopTurns {
  readonly #waiting: (() => void)[] = []

  /** Resolves in a turn that no other piece of work has: first come, first served. */
  own(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#resolveOne)
    })
  }

  /** Resolves in the next turn, whoever waits for one of its own. */
  next(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve))
  }

  readonly #resolveOne = (): void => {
    const resolve = this.#waiting.shift()
    if (this.#waiting.length > 0) setImmediate(this.#resolveOne)
    resolve?.()
  }
}

/**
 * Opens when as many rows in a row have no definite answer as end a run. While it is open, no new row is sent: on a line that loses
 * every answer, each new row would be one more to resolve.
 */
export class CircuitBreaker {
  /** Rows that are sent once more. */
  readonly #retried = new Set<object>()
  /** Rows in a row that ended without an answer, or did not leave this machine. */
  #unanswered = 0
  readonly #events = new EventEmitter<{ closed: [] }>().setMaxListeners(0)

  get isOpen(): boolean {
    return this.#retried.size + this.#unanswered >= longestOutage
  }

  /** A row has no definite answer, and is sent once more. */
  add(row: object): void {
    this.#retried.add(row)
  }

  /** A row has ended. A definite answer shows that the line works. */
  over(row: object, state: RowState, failure: Failure | null): void {
    this.#retried.delete(row)
    const answer = answerOf(state, failure)
    if (answer === 'answered' || answer === 'away') {
      this.#retried.clear()
      this.#unanswered = 0
    } else if (answer !== null) this.#unanswered += 1
    this.#tell()
  }

  /** Nothing more is done for a row. */
  forget(row: object): void {
    this.#retried.delete(row)
    this.#tell()
  }

  /** Rejects when the signal fires first. */
  async untilClosed(signal: AbortSignal): Promise<void> {
    while (this.isOpen) await once(this.#events, 'closed', { signal })
  }

  #tell(): void {
    if (!this.isOpen) this.#events.emit('closed')
  }
}
