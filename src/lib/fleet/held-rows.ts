/** Rows that a worker may still hold though nothing is at work on them: the store was away when they were to be given free. */
import type { Presence } from './presence.ts'

export class HeldRows {
  readonly #leave: () => Promise<number>
  readonly #presence: Pick<Presence, 'isIdle'>
  #mayBe = false

  /** `leave`: gives free what is held and done with, and gives how many are still held. */
  constructor(leave: () => Promise<number>, presence: Pick<Presence, 'isIdle'>) {
    this.#leave = leave
    this.#presence = presence
  }

  /** A chunk is taken: its rows may be among them. */
  mayCome(): void {
    this.#mayBe = true
  }

  /** Gives them free where no chunk is in work. A store that is away is asked the next time. */
  async giveFree(): Promise<void> {
    if (!this.#mayBe || !this.#presence.isIdle) return
    this.#mayBe = false
    const held = await this.#leave().catch(() => null)
    if (held !== 0) this.#mayBe = true
  }
}
