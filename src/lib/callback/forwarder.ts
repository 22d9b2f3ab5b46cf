/**
 * Sends every callback on until its target has taken it (2xx) or a day has passed. What is on its way stands in the store, so
 * that the next listener goes on with it. One at a time, in the order they came; one that the target refuses waits by itself
 * while the next go on, and while the target cannot be reached none is sent but the first, to see whether it is back.
 *
 * At least once, not exactly once: an answer that was lost, or a listener killed before it noted one, sends again.
 */
import { once } from 'node:events'
import type { Clock, Random } from '../edge.ts'
import type { NamedKey } from '../envelope/doctor.ts'
import type { Relay } from '../http/transport.ts'
import * as rows from '../store/callbacks.ts'
import type { Callbacks } from './callbacks.ts'
import { type Forwarded, forward } from './forward.ts'
import { headersOf } from './message.ts'
import { tokensOf } from './open.ts'

const base = 500
const longest = 30_000
const patience = 24 * 60 * 60 * 1000

/** Milliseconds before the try after so many failed ones: doubling, 30 s at most, between a half and the whole of it. */
export function backoff(tries: number, random: Pick<Random, 'fraction'>): number {
  const whole = Math.min(longest, base * 2 ** Math.min(tries - 1, 16))
  return Math.round(whole * (0.5 + random.fraction() / 2))
}

export interface ForwardNews extends Forwarded {
  readonly callbackId: string
  readonly target: string
  readonly tries: number
  /** Milliseconds until the next try; null where there is none. */
  readonly again: number | null
}

export interface TargetNews {
  readonly target: string
  readonly state: 'down' | 'back'
  readonly why: string | null
  /** How many callbacks wait for it. */
  readonly waiting: number
}

export interface ForwarderSettings {
  readonly target: string
  readonly relay: Relay
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
  readonly #callbacks: Callbacks
  readonly #settings: ForwarderSettings
  #woken = new AbortController()
  /** How often in a row the target could not be reached, and when it is tried next. */
  #failed = 0
  #notBefore = 0

  constructor(callbacks: Callbacks, settings: ForwarderSettings) {
    this.#callbacks = callbacks
    this.#settings = settings
  }

  /** There may be something to send. */
  wake(): void {
    this.#woken.abort()
  }

  /** Runs until the signal fires; rejects only where the store fails. */
  async run(): Promise<void> {
    const { signal, clock, target } = this.#settings
    while (!signal.aborted) {
      this.#woken = new AbortController()
      const next = await this.#callbacks.store.read((db) => rows.nextDelivery(db, target, clock.now()))
      const pause = next ? Math.max(next.due, this.#notBefore) - clock.now() : null
      if (next && pause !== null && pause <= 0) await this.#send(next)
      else await this.#rest(pause)
    }
  }

  /** For so long, or for ever (null), until there is something new. */
  async #rest(milliseconds: number | null): Promise<void> {
    const { signal, clock } = this.#settings
    // New callbacks change nothing about a target that is down.
    const isDown = this.#failed > 0 && milliseconds !== null
    const ends = isDown ? signal : AbortSignal.any([signal, this.#woken.signal])
    if (milliseconds !== null) await clock.sleep(milliseconds, ends).catch(() => undefined)
    else if (!ends.aborted) await once(ends, 'abort')
  }

  async #send(next: rows.Delivery): Promise<void> {
    const { target, relay, clock, limits, signal, keys } = this.#settings
    const row = await this.#callbacks.store.read((db) => rows.receivedAt(db, next.seq))
    if (!row) return
    const started = clock.now()
    const { method, target: path, body } = row
    const sent = { method, target: path, headers: headersOf(row), body }
    const done = await forward(relay, target, sent, { ...limits, signal }, () => tokensOf(body, keys))
    // Stopped in the middle: nobody knows, and the next listener sends it again.
    if (signal.aborted && done.outcome !== 'delivered') return
    const tries = next.tries + 1
    const again = this.#next(done, next, tries)
    await this.#note(next, done, started, { tries, again })
    await this.#tellOfTarget(done)
    await this.#settings.onForwarded({ ...done, callbackId: row.id, target, tries, again })
  }

  /** Milliseconds until the next try; null for none. Whoever was down for a day still gets one try. */
  #next(done: Forwarded, { since }: rows.Delivery, tries: number): number | null {
    const { clock, random } = this.#settings
    if (done.outcome === 'delivered' || clock.now() - since >= patience) return null
    return backoff(done.outcome === 'refused' ? tries : this.#failed + 1, random)
  }

  async #note(
    next: rows.Delivery,
    done: Forwarded,
    started: number,
    { tries, again }: { readonly tries: number; readonly again: number | null },
  ): Promise<void> {
    const { clock } = this.#settings
    const now = clock.now()
    const state = done.outcome === 'delivered' ? 'delivered' : again === null ? 'given-up' : 'pending'
    await this.#callbacks.store.write(async (db) => {
      await rows.addAttempt(db, {
        ...{ seq: next.seq, target: next.target, by: 'forward', edited: 0 },
        ...{ started_at: new Date(started).toISOString(), milliseconds: now - started, ...done },
      })
      await rows.changeDelivery(db, next, { state, tries, due: now + (again ?? 0) })
    })
    const reached = done.outcome === 'delivered' || done.outcome === 'refused'
    this.#notBefore = reached ? 0 : now + (again ?? 0)
  }

  async #tellOfTarget({ outcome, why }: Forwarded): Promise<void> {
    const { target, onTarget } = this.#settings
    const reached = outcome === 'delivered' || outcome === 'refused'
    const before = this.#failed
    this.#failed = reached ? 0 : before + 1
    if (reached ? before === 0 : before > 0) return
    const counts = await this.#callbacks.waiting()
    const waiting = counts.find((each) => each.target === target)?.count ?? 0
    await onTarget({ target, state: reached ? 'back' : 'down', why: reached ? null : why, waiting })
  }
}
