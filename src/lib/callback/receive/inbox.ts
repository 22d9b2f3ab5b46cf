/**
 * Between the sockets and the store: what arrives while a commit is under way goes into the next one together, and every
 * answer waits for the commit of its own callback.
 */
import { largestBody } from '../../limits.ts'
import type { RawCallback } from './message.ts'

const mostAtOnce = 64

/**
 * The number of waiting callbacks that fit into one commit: together no more bytes than the largest body, but at least one.
 */
function fitting(waiting: readonly Waiting[]): number {
  let bytes = 0
  const tooMany = waiting.findIndex(({ raw }, at) => {
    bytes += raw.body.length
    return at > 0 && (bytes > largestBody || at >= mostAtOnce)
  })
  return tooMany < 0 ? waiting.length : tooMany
}

interface Waiting {
  readonly raw: RawCallback
  readonly stored: (id: string) => void
  readonly failed: (error: unknown) => void
}

export class Inbox {
  readonly #store: (batch: readonly RawCallback[]) => Promise<readonly string[]>
  #waiting: Waiting[] = []
  #busy = false

  constructor(store: (batch: readonly RawCallback[]) => Promise<readonly string[]>) {
    this.#store = store
  }

  /** The id of the callback, as soon as it is durable. Rejects where it could not be stored. */
  take(raw: RawCallback): Promise<string> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ raw, stored, failed })
      if (!this.#busy) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#busy = true
    // Callbacks that arrive in the same turn of the loop share the first commit.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, fitting(this.#waiting))
      try {
        const ids = await this.#store(batch.map(({ raw }) => raw))
        for (const [at, { stored }] of batch.entries()) stored(ids[at] as string)
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
      // The sockets' turn: the store's driver never gives it away.
      await new Promise(setImmediate)
    }
    this.#busy = false
  }
}
