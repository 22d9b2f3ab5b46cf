/** Time that stands still until a test lets it pass, so that nothing depends on how fast the machine is. */
import { type Clock, type Edge, realClock, type Steady } from '../../../src/lib/edge.ts'
import { until } from '../../kit/tools.ts'

interface Due {
  at: number
  readonly fire: () => void
}

/** Sleeps that are shorter are not what a test looks at: they are real, and no time passes in them. */
const shortest = 1_000

export class SteppedClock implements Clock {
  #now: number
  #flows = false
  readonly #due = new Set<Due>()

  constructor(start = Date.parse('2026-11-20T06:00:00Z')) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  steady(): Steady {
    return { boot: 'stepped', milliseconds: this.#now }
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (this.#flows && !signal?.aborted) {
      this.#now += milliseconds
      return Promise.resolve()
    }
    if (milliseconds < shortest) return realClock.sleep(milliseconds, signal)
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#due.delete(due)
        reject(new DOMException('The operation was aborted', 'AbortError'))
      }
      const due = {
        at: this.#now + milliseconds,
        fire: () => {
          this.#due.delete(due)
          signal?.removeEventListener('abort', abort)
          resolve()
        },
      }
      if (signal?.aborted) return abort()
      this.#due.add(due)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  readonly every: Edge['every'] = (milliseconds, work) => {
    const due = {
      at: this.#now + milliseconds,
      fire: () => {
        due.at += milliseconds
        work()
      },
    }
    this.#due.add(due)
    return () => this.#due.delete(due)
  }

  /** Waits until so many sleeps end later than in so many milliseconds. */
  async asleep(many: number, milliseconds: number): Promise<void> {
    const isLong = ({ at }: Due) => at - this.#now > milliseconds
    await until(`${many} sleep for more than ${milliseconds} ms`, () => [...this.#due].filter(isLong).length >= many)
  }

  /** Lets so much time pass: all that is due in it happens in its order. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    for (;;) {
      const [next] = [...this.#due].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)
      if (!next) break
      this.#now = Math.max(this.#now, next.at)
      next.fire()
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#now = Math.max(this.#now, end)
  }

  /** From now on time jumps over every sleep, those that are under way included. */
  flow(): void {
    this.#flows = true
    for (const due of [...this.#due].toSorted((one, other) => one.at - other.at)) {
      this.#now = Math.max(this.#now, due.at)
      due.fire()
    }
  }
}
