/** The lanes to the service: so many requests are on their way at once. */
import type { Rounds } from './rounds.ts'

export class Lanes {
  readonly count: number
  #free: number
  readonly #waiting: (() => void)[] = []
  readonly #rounds: Rounds | null

  /** `rounds`: those of the event loop for the work around requests; null where nothing comes from outside. */
  constructor(count: number, rounds: Rounds | null = null) {
    this.count = count
    this.#free = count
    this.#rounds = rounds
  }

  /** Resolves when there is time for work that no lane waits for. */
  async round(): Promise<void> {
    await this.#rounds?.next()
  }

  /** Resolves with a lane, when one is free: first come, first served. */
  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Gives a lane to the next one, and resolves when that one's request has left: before the answer of this one is read. */
  async give(): Promise<void> {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
    await this.#rounds?.soon()
  }
}
