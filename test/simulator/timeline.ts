/** Simulated time. */
import type { Clock, Steady } from '../../src/lib/edge.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly fire: () => void
}

async function drained(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

export class Timeline implements Clock {
  #now: number
  #order = 0
  #timers: Timer[] = []

  /** Rounds of the event loop after which nothing happens any more: a store that gathers writes waits for one of its own. */
  readonly #rounds: number

  constructor(start: number, isShared: boolean) {
    this.#now = start
    this.#rounds = isShared ? 3 : 1
  }

  now(): number {
    return this.#now
  }

  steady(): Steady {
    return { boot: 'simulated', milliseconds: this.#now }
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      // As timers of Node do: the reason stands beside the error, and the error is of a kind that no code of paydesk throws.
      const abort = () => reject(new DOMException('The operation was aborted', 'AbortError'))
      if (signal?.aborted) return abort()
      this.#order += 1
      const fire = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      this.#timers.push({ at: this.#now + Math.max(0, milliseconds), order: this.#order, fire })
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Lets time pass until nothing waits any more. */
  async run(): Promise<void> {
    for (;;) {
      await drained(this.#rounds)
      const next = this.#timers.reduce<Timer | null>((first, timer) => (isBefore(timer, first) ? timer : first), null)
      if (!next) return
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#now = Math.max(this.#now, next.at)
      next.fire()
    }
  }
}

function isBefore(timer: Timer, other: Timer | null): boolean {
  if (!other) return true
  return timer.at === other.at ? timer.order < other.order : timer.at < other.at
}
