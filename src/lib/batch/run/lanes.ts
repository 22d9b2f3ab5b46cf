/**
 * The lanes to the service: so many requests are on their way at once. Rows are opened in the journal ahead of a free lane, and
 * recorded behind it, so that none waits for the disk.
 */
import type { Transport } from '../../http/transport.ts'

export class Lanes {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
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
  return (...request) =>
    lanes.within(async () => {
      await opened()
      return transport(...request)
    })
}
