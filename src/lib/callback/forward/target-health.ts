/**
 * The health of a target, judged by the tries so far. A target that takes no connection is down. A target that takes a
 * callback and gives no answer may fail at that callback alone: only two tries in a row, of callbacks that were never tried
 * before, prove that it is down. Callbacks that went unanswered while others had their answer prove it too, but only by more
 * tries in a row: a handful that hang for ever must not call a target down that answers all others now and then. From the
 * second of those tries on the target is asked slowly.
 */

import { backoff, doublingPause } from '../../backoff.ts'
import type { Random } from '../../edge.ts'
import type { ForwardOutcome } from './forward.ts'

const pauses = { base: 500, longest: 30_000 }

/** Milliseconds before the try after so many failed ones: at least half of the pause, so that a target that is down has its rest. */
export function forwardPause(tries: number, random: Pick<Random, 'fraction'>): number {
  return Math.round((doublingPause(tries - 1, pauses) + backoff(tries - 1, random, pauses)) / 2)
}

const enough = 2
/** Tries in a row, of callbacks that were left without an answer before. */
const enoughOfKnown = 10
/** A target that takes connections is asked every 2 s at the least: the next callback may be one that it answers. */
const slowest = 3
/** After so many tries in a row that it did not take, whatever it said, not more than a few a second. */
const manyUntaken = 10

export class TargetHealth {
  /** In a row: tries without a connection, and tries that were not taken. */
  #unreached = 0
  #untaken = 0
  /** Since the last answer: tries without one, those of them that count at once, and their callbacks. */
  #silent = 0
  #ofUnknown = 0
  readonly #silentOnes = new Set<number>()
  #isDown = false
  #answers = 0
  /** By callback: how many answers there had been when it was left without one for the first time. */
  readonly #unanswered = new Map<number, number>()

  /** Notes what came of a try; gives back what has changed. */
  note(seq: number, outcome: ForwardOutcome): 'down' | 'back' | null {
    this.#untaken = outcome === 'delivered' ? 0 : this.#untaken + 1
    if (outcome === 'delivered' || outcome === 'refused') return this.#heard(seq)
    this.#unreached = outcome === 'unsent' ? this.#unreached + 1 : 0
    if (outcome === 'unanswered') this.#unheard(seq)
    if (this.#isDown || (this.#unreached === 0 && !this.#answersNobody())) return null
    this.#isDown = true
    return 'down'
  }

  /** Milliseconds for which nothing is sent after the last try. */
  pause(random: Pick<Random, 'fraction'>): number {
    if (this.#unreached > 0) return forwardPause(this.#unreached, random)
    if (this.#seemsDeaf()) return forwardPause(Math.min(this.#silent, slowest), random)
    return this.#untaken >= manyUntaken ? forwardPause(1, random) : 0
  }

  /** A callback that is tried no more. */
  forget(seq: number): void {
    this.#unanswered.delete(seq)
  }

  #seemsDeaf(): boolean {
    if (this.#isDown) return this.#silent > 0
    return this.#ofUnknown >= enough || this.#silentOnes.size >= enough
  }

  #answersNobody(): boolean {
    return this.#ofUnknown >= enough || (this.#silentOnes.size >= enough && this.#silent >= enoughOfKnown)
  }

  #heard(seq: number): 'back' | null {
    const wasDown = this.#isDown
    this.#isDown = false
    this.#unreached = 0
    this.#silent = 0
    this.#ofUnknown = 0
    this.#silentOnes.clear()
    this.#answers += 1
    this.#unanswered.delete(seq)
    return wasDown ? 'back' : null
  }

  #unheard(seq: number): void {
    const first = this.#unanswered.get(seq) ?? this.#answers
    this.#unanswered.set(seq, first)
    this.#silent += 1
    this.#silentOnes.add(seq)
    if (first === this.#answers) this.#ofUnknown += 1
  }
}
