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
    const changed = this.#health.note(done.outcome)
    const again = this.#again(done, next, tries)
    await this.#note(next, done, started, { tries, again })
    if (changed) await this.#tellOfTarget(changed, done)
    await onForwarded({ ...done, callbackId: row.id, target: maskedText(target), tries, again })
  }

  /**
   * Milliseconds until the next try; null for none. A target that was down for a day still gets one try. A callback that is
   * given up makes the others wait no longer.
   */
  #again(done: Forwarded, { since }: rows.Delivery, tries: number): number | null {
    const { clock, random } = this.#settings
    const now = clock.now()
    if (done.outcome === 'delivered' || now - since >= patience) {
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
    await waitForSlot(noted, this.#settings)
  }

  async #tellOfTarget(state: 'down' | 'back', { why }: Forwarded): Promise<void> {
    const { target, onTarget } = this.#settings
    const counts = await this.#callbacks.waiting()
    const waiting = counts.find((each) => each.target === target)?.count ?? 0
    await onTarget({ target: maskedText(target), state, why: state === 'down' ? why : null, waiting })
  }
}

/** Tries in a row without an answer that call a target down which takes connections. */
const enough = 10
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
 * The health of a target, judged by the tries so far. One that takes no connection is down at once. One that takes a callback
 * and gives no answer may fail at that callback alone, so it takes many tries in a row.
 */
class TargetHealth {
  /** In a row: tries without a connection, tries that were sent and not answered, and tries that were not taken. */
  #unreached = 0
  #unanswered = 0
  #untaken = 0
  #isDown = false

  /** Notes what came of a try; gives back what has changed. */
  note(outcome: ForwardOutcome): 'down' | 'back' | null {
    const isAnswered = outcome === 'delivered' || outcome === 'refused'
    this.#untaken = outcome === 'delivered' ? 0 : this.#untaken + 1
    this.#unreached = outcome === 'unsent' ? this.#unreached + 1 : 0
    if (outcome === 'unanswered') this.#unanswered += 1
    if (isAnswered) this.#unanswered = 0
    const wasDown = this.#isDown
    this.#isDown = !isAnswered && (wasDown || this.#unreached > 0 || this.#unanswered >= enough)
    if (wasDown === this.#isDown) return null
    return wasDown ? 'back' : 'down'
  }

  /** Milliseconds for which nothing is sent after the last try. */
  pause(random: Pick<Random, 'fraction'>): number {
    if (this.#unreached > 0) return forwardPause(this.#unreached, random)
    if (this.#unanswered > 1) return forwardPause(Math.min(this.#unanswered, slowest), random)
    return this.#untaken >= manyUntaken ? forwardPause(1, random) : 0
  }
}

/** Milliseconds until it looks again. */
const pause = 1_000

/** Does the work, again and again while the store cannot be written; throws as it does for anything else, and when the signal has fired. */
export async function waitForSlot<Result>(
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
