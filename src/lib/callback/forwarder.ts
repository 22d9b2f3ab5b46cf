/**
 * Sends every callback on until its target has taken it (2xx) or a day has passed. Deliveries stand in the store, so that the
 * next listener goes on with them. One at a time, in the order they came; a callback that the target refuses, or hangs up on,
 * waits by itself while the next go on, and comes after those that were not tried yet. While no connection is made only the
 * first is sent, to see whether the target is back; a target that takes connections and never answers is asked slowly. Both
 * are said loudly, once.
 *
 * At least once, not exactly once: an answer that was lost, or a listener killed before it noted one, sends again.
 */

import { once } from 'node:events'
import { backoff, doublingPause } from '../backoff.ts'
import type { Clock, Random } from '../edge.ts'
import type { NamedKey } from '../envelope/envelope.ts'
import { Failure } from '../failure.ts'
import type { Relay } from '../http/client.ts'
import type { ResultOf } from '../result.ts'
import * as rows from '../store/callbacks.ts'
import type { CallbackStore } from './callbacks.ts'
import { type Forwarded, type ForwardOutcome, forward } from './forward.ts'
import { maskedText } from './mask.ts'
import { secretsBesideOthers } from './open.ts'
import { headersOf, markedBy } from './raw.ts'
import type { callbackForwarded, targetChanged } from './result.ts'

const patience = 24 * 60 * 60 * 1000

export type ForwardNews = Omit<ResultOf<typeof callbackForwarded>, 'event'>

export type TargetNews = Omit<ResultOf<typeof targetChanged>, 'event'>

interface ForwarderSettings {
  readonly target: string
  readonly relay: Relay
  /** Of this listener, put on whatever it sends. */
  readonly mark: string
  /** To find the tokens that the target's words must not show. */
  readonly keys: readonly NamedKey[]
  readonly clock: Clock
  readonly random: Random
  readonly limits: { readonly connectTimeout: number; readonly answerTimeout: number }
  readonly signal: AbortSignal
  readonly onForwarded: (news: ForwardNews) => Promise<void>
  readonly onTarget: (news: TargetNews) => Promise<void>
}

export class Forwarder {
  readonly #callbacks: CallbackStore
  readonly #settings: ForwarderSettings
  readonly #health = new TargetHealth()
  #woken = new AbortController()
  /** Until then nothing is sent, whatever is due. */
  #notBefore = 0

  constructor(callbacks: CallbackStore, settings: ForwarderSettings) {
    this.#callbacks = callbacks
    this.#settings = settings
  }

  /** Wakes it: there may be something to send. */
  wake(): void {
    this.#woken.abort()
  }

  /** Runs until the signal fires; rejects only where the store fails. */
  async run(): Promise<void> {
    const { signal, clock, target } = this.#settings
    while (!signal.aborted) {
      this.#woken = new AbortController()
      // New callbacks change nothing about a target that is down.
      await this.#sleep(this.#notBefore - clock.now(), signal)
      if (signal.aborted) return
      const next = await this.#callbacks.store.read((db) => rows.nextDelivery(db, target, clock.now()))
      const pause = next ? next.due - clock.now() : null
      if (next && pause !== null && pause <= 0) await this.#send(next)
      else await this.#rest(pause)
    }
  }

  async #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (milliseconds > 0) await this.#settings.clock.sleep(milliseconds, signal).catch(() => undefined)
  }

  /** For so long, or for ever (null), until there is something new. */
  async #rest(milliseconds: number | null): Promise<void> {
    const ends = AbortSignal.any([this.#settings.signal, this.#woken.signal])
    if (milliseconds !== null) await this.#sleep(milliseconds, ends)
    else if (!ends.aborted) await once(ends, 'abort')
  }

  async #send(next: rows.Delivery): Promise<void> {
    const { target, relay, clock, limits, signal, keys, mark, onForwarded } = this.#settings
    const row = await this.#callbacks.store.ask((db) => rows.receivedAt(db, next.seq))
    if (!row) return
    const started = clock.now()
    const { method, target: path, body } = row
    const sent = { method, target: path, headers: markedBy(mark, headersOf(row)), body }
    const done = await forward(relay, target, sent, { ...limits, signal }, () => secretsBesideOthers(body, keys))
    // Stopped in the middle: the outcome is not known, and the next listener sends it again.
    if (signal.aborted && done.outcome !== 'delivered') return
    const tries = next.tries + 1
    const changed = this.#health.note(next.seq, done.outcome)
    const again = this.#again(done, next, tries)
    await this.#note(next, done, started, { tries, again })
    if (changed) await this.#tellOfTarget(changed, done)
    await onForwarded({ ...done, callbackId: row.id, target: maskedText(target), tries, again })
  }

  /**
   * Milliseconds until the next try; null for none. A target that was down for a day still gets one try. A callback that is
   * given up makes the others wait no longer.
   */
  #again(done: Forwarded, { seq, since }: rows.Delivery, tries: number): number | null {
    const { clock, random } = this.#settings
    const now = clock.now()
    if (done.outcome === 'delivered' || now - since >= patience) {
      this.#health.forget(seq)
      this.#notBefore = now
      return null
    }
    const pause = this.#health.pause(random)
    this.#notBefore = now + pause
    return done.outcome === 'unsent' ? pause : forwardPause(tries, random)
  }

  async #note(
    next: rows.Delivery,
    done: Forwarded,
    started: number,
    { tries, again }: { readonly tries: number; readonly again: number | null },
  ): Promise<void> {
    const now = this.#settings.clock.now()
    const state = done.outcome === 'delivered' ? 'delivered' : again === null ? 'given-up' : 'pending'
    // A callback that has not left keeps its place: it is the first again when the target is back.
    const due = done.outcome === 'unsent' ? next.due : now + (again ?? 0)
    const noted = () =>
      this.#callbacks.store.write(async (db) => {
        await rows.addDeliveryAttempt(db, {
          ...{ seq: next.seq, target: next.target, by: 'forward', edited: 0 },
          ...{ started_at: new Date(started).toISOString(), milliseconds: now - started, ...done },
        })
        await rows.changeDelivery(db, next, { state, tries, due })
      })
    // Sent once more for every second without room, the target would be flooded.
    await whenThereIsRoom(noted, this.#settings)
  }

  async #tellOfTarget(state: 'down' | 'back', { why }: Forwarded): Promise<void> {
    const { target, onTarget } = this.#settings
    const counts = await this.#callbacks.waiting()
    const waiting = counts.find((each) => each.target === target)?.count ?? 0
    await onTarget({ target: maskedText(target), state, why: state === 'down' ? why : null, waiting })
  }
}

const enough = 2
/** Tries in a row, of callbacks that were left without an answer before. */
const enoughOfKnown = 10
/** A target that takes connections is asked every 2 s at the least: the next callback may be one that it answers. */
const slowest = 3
/** After so many tries in a row that it did not take, whatever it said, not more than a few a second. */
const manyUntaken = 10

const pauses = { base: 500, longest: 30_000 }

/** Milliseconds before the try after so many failed ones: at least half of the pause, so that a target that is down has its rest. */
export function forwardPause(tries: number, random: Pick<Random, 'fraction'>): number {
  return Math.round((doublingPause(tries - 1, pauses) + backoff(tries - 1, random, pauses)) / 2)
}

/**
 * The health of a target, judged by the tries so far. A target that takes no connection is down. A target that takes a
 * callback and gives no answer may fail at that callback alone: only two tries in a row, of callbacks that were never tried
 * before, prove that it is down. Callbacks that went unanswered while others had their answer prove it too, but only by more
 * tries in a row: a handful that hang for ever must not call a target down that answers all others now and then. From the
 * second of those tries on the target is asked slowly.
 */
class TargetHealth {
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

/** Milliseconds until it looks again. */
const pause = 1_000

/** Does the work, again and again while the store cannot be written; throws as it does for anything else, and when the signal has fired. */
export async function whenThereIsRoom<Result>(
  work: () => Promise<Result>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure) || error.kind !== 'unsent') throw error
      await clock.sleep(pause, signal).catch(() => undefined)
    }
  }
}
