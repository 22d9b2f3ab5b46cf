/** A finger on ^C: stops a process while one of its requests is on its way, or soon after. */
import type { World } from './world.ts'

export type Signal = 'SIGINT' | 'SIGTERM'

export class Finger {
  readonly #controller = new AbortController()
  readonly #world: World
  readonly #name: string
  /** Requests that it lets pass; none where it never presses. */
  #left: number | null

  constructor(world: World, name: string) {
    this.#world = world
    this.#name = name
    this.#left = world.strikes('interrupted') && world.fate.chance(0.4) ? world.fate.below(4) : null
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** A request leaves. */
  watch(): void {
    if (this.#left === null) return
    if (this.#left > 0) {
      this.#left -= 1
      return
    }
    this.#left = null
    const { fate, timeline } = this.#world
    const signal = fate.pick<Signal>(['SIGINT', 'SIGTERM'])
    void timeline.sleep(fate.below(500)).then(() => {
      this.#world.note(`${this.#name} gets ${signal}`)
      this.#controller.abort(signal)
    })
  }
}
