/**
 * The lanes to the service: so many requests are on their way at once. Rows are opened in the journal ahead of a free lane, and
 * recorded behind it, so that none waits for the disk.
 */
import type { Transport } from '../../http/transport.ts'
import type { Rounds } from './rounds.ts'

export class Lanes {
  #free: number
  readonly #waiting: (() => void)[] = []
  readonly #rounds: Rounds | null

  /** `rounds`: those of the event loop for the work around requests; null where nothing comes from outside. */
  constructor(count: number, rounds: Rounds | null = null) {
    this.#free = count
    this.#rounds = rounds
  }

  /** Resolves when there is time for work that no lane waits for. */
  async round(): Promise<void> {
    await this.#rounds?.next()
  }

  /** Resolves when the lane that was given up is at work again. */
  async left(): Promise<void> {
    await this.#rounds?.soon()
  }

  /** Does the work in a lane, when one is free: first come, first served. */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The lane goes over from one to the next.
      if (next) next()
      else this.#free += 1
    }
  }
}

/** A transport with lanes. `opened` resolves when requests may leave: it is waited for in the lane. */
export function inLanes(transport: Transport, lanes: Lanes, opened: () => Promise<void>): Transport {
  return async (...request) => {
    await lanes.round()
    try {
      return await lanes.within(async () => {
        await opened()
        return transport(...request)
      })
    } finally {
      // The lane is the next one's by now: its request leaves before this answer is read.
      await lanes.left()
    }
  }
}
