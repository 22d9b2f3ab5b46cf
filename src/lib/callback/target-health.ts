/**
 * What the tries so far say about the target itself. Where no connection is made, it is down. Where it takes a callback and
 * gives no answer, the fault may lie with that callback alone: only two such tries in a row say that it is down, and one that
 * was left without an answer while others had theirs says nothing about it any more.
 */
import type { Random } from '../edge.ts'
import { backoff } from './backoff.ts'
import type { Outcome } from './forward.ts'

const enough = 2
/** A target that takes connections is asked every 2 s at the least: the next callback may be one that it answers. */
const slowest = 3

export class TargetHealth {
  /** In a row: tries without a connection, and tries without an answer. */
  #unreached = 0
  #silent = 0
  #isDown = false
  #answers = 0
  /** By callback: how many answers there had been when it was left without one for the first time. */
  readonly #unanswered = new Map<number, number>()

  /** Notes what came of a try; gives back what has changed. */
  note(seq: number, outcome: Outcome): 'down' | 'back' | null {
    if (outcome === 'delivered' || outcome === 'refused') return this.#heard(seq)
    this.#unreached = outcome === 'unsent' ? this.#unreached + 1 : 0
    if (outcome === 'unanswered') this.#unheard(seq)
    if (this.#isDown || (this.#unreached === 0 && this.#silent < enough)) return null
    this.#isDown = true
    return 'down'
  }

  /** Milliseconds for which nothing is sent after the last try. */
  pause(random: Pick<Random, 'fraction'>): number {
    if (this.#unreached > 0) return backoff(this.#unreached, random)
    return this.#isDown && this.#silent > 0 ? backoff(Math.min(this.#silent, slowest), random) : 0
  }

  /** A callback that is tried no more. */
  forget(seq: number): void {
    this.#unanswered.delete(seq)
  }

  #heard(seq: number): 'back' | null {
    const wasDown = this.#isDown
    this.#isDown = false
    this.#unreached = 0
    this.#silent = 0
    this.#answers += 1
    this.#unanswered.delete(seq)
    return wasDown ? 'back' : null
  }

  #unheard(seq: number): void {
    const first = this.#unanswered.get(seq) ?? this.#answers
    this.#unanswered.set(seq, first)
    if (first === this.#answers) this.#silent += 1
  }
}
