/**
 * A simulated process can die at every point where it touches the world: just before an effect, or just after it and before
 * it hears of it. A dead process does nothing more, not even its `finally`: its promises never settle.
 */
import type { Transport } from '../../src/lib/http/transport.ts'
import type { Store } from '../../src/lib/store/store.ts'
import type { Dice } from './dice.ts'
import type { Timeline } from './timeline.ts'

export class Mortal {
  dead = false
  readonly #dice: Dice
  readonly #timeline: Timeline
  readonly #risk: number
  readonly #onDeath: () => void

  constructor(dice: Dice, timeline: Timeline, risk: number, onDeath: () => void) {
    this.#dice = dice
    this.#timeline = timeline
    this.#risk = risk
    this.#onDeath = onDeath
  }

  /** An effect on the world that may be this process's last. */
  async effect<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#maybeDie()
    const result = await work()
    await this.#maybeDie()
    return result
  }

  store<Tables>(store: Store<Tables>): Store<Tables> {
    return {
      read: (work) => this.effect(() => this.#pausing(() => store.read(work))),
      write: (work) => this.effect(() => this.#pausing(() => store.write(work))),
      close: async () => undefined,
    }
  }

  transport(transport: Transport): Transport {
    return (...given) => this.effect(() => transport(...given))
  }

  /** Moments in which other processes get their turn. */
  async #pausing<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#timeline.sleep(this.#dice.below(4))
    return work()
  }

  async #maybeDie(): Promise<void> {
    if (!this.dead && this.#dice.chance(this.#risk)) {
      this.dead = true
      this.#onDeath()
    }
    if (this.dead) await new Promise<never>(() => undefined)
  }
}
