/**
 * Rounds of the event loop, for work that no request waits for: one piece of it in each. What came meanwhile goes first, an answer
 * whose lane is given to the next row, or a signal; so requests leave at their pace however much there is to be opened and recorded.
 */
export class Rounds {
  readonly #waiting: (() => void)[] = []

  /** Resolves in a round that is the caller's alone: first come, first served. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#one)
    })
  }

  /** Resolves in the next round, before all that waits for one of its own. */
  soon(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve))
  }

  readonly #one = (): void => {
    const resolve = this.#waiting.shift()
    if (this.#waiting.length > 0) setImmediate(this.#one)
    resolve?.()
  }
}
