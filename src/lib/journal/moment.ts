/**
 * Moments by the clock, which can be set, and by the time since the machine started, which cannot. Enough time has
 * passed, or is left, only if both say so.
 */
import type { Clock, Steady } from '../edge.ts'

/** `steady`: null where the system does not tell when it started. */
export interface Moment {
  /** Milliseconds since 1970, UTC. */
  readonly now: number
  readonly steady: Steady | null
}

/** As a row holds it: ISO text, and the start of the machine, milliseconds since, its name. */
export interface StoredMoment {
  readonly iso: string
  readonly steady: string | null
}

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), steady: clock.steady() }
}

export function later({ now, steady }: Moment, milliseconds: number): Moment {
  return {
    now: now + milliseconds,
    steady: steady && { ...steady, milliseconds: steady.milliseconds + milliseconds },
  }
}

export function storeMoment({ now, steady }: Moment): StoredMoment {
  const { boot, milliseconds, machine } = steady ?? {}
  const text = [boot, milliseconds, machine].filter((part) => part !== undefined).join('/')
  return { iso: new Date(now).toISOString(), steady: steady && text }
}

/** A moment of this process, or of a row. */
type Since = Moment | StoredMoment

function readMoment(since: Since): Moment {
  if ('now' in since) return since
  const now = Date.parse(since.iso)
  if (since.steady === null) return { now, steady: null }
  const [boot = '', milliseconds = '', machine] = since.steady.split('/')
  return { now, steady: { boot, milliseconds: Number(milliseconds), ...(machine === undefined ? {} : { machine }) } }
}

/** The steady one only where both moments lie in one start of the machine. */
function elapsedBy(since: Since, present: Moment): readonly [byClock: number, steady: number | null] {
  const { now, steady: then } = readMoment(since)
  const same = then && present.steady?.boot === then.boot
  return [present.now - now, same && present.steady ? present.steady.milliseconds - then.milliseconds : null]
}

export function isOfThisStart(since: StoredMoment, present: Moment): boolean {
  return elapsedBy(since, present)[1] !== null
}

/**
 * True if a kept moment is of this machine, in this start or an earlier one. Machines of one image may share a name:
 * one whose present start is older than the moment is another one.
 */
export function isOfThisMachine(since: StoredMoment, present: Moment): boolean {
  const { steady: then } = readMoment(since)
  if (then === null || present.steady === null || isOfThisStart(since, present)) return true
  const { machine, milliseconds } = present.steady
  const [byClock] = elapsedBy(since, present)
  const isNamedOtherwise = then.machine !== undefined && machine !== undefined && then.machine !== machine
  return !isNamedOtherwise && milliseconds <= byClock
}

/** The end of what began at a kept moment and is over now: setting the clock lengthens nothing. */
export function endBy(since: StoredMoment, present: Moment): string {
  const [byClock, steady] = elapsedBy(since, present)
  return new Date(Date.parse(since.iso) + Math.max(0, steady ?? byClock)).toISOString()
}

/** Milliseconds that may have passed: a clock that was set back lengthens no deadline. */
export function maxElapsed(since: Since, present: Moment): number {
  const [byClock, steady] = elapsedBy(since, present)
  return Math.max(byClock, steady ?? byClock)
}

/** Milliseconds left until a moment of the clock, however it is set meanwhile. */
export function timeLeft(clock: Clock, until: number): () => number {
  const start = momentOf(clock)
  const length = until - clock.now()
  return () => length - maxElapsed(start, momentOf(clock))
}

/**
 * Milliseconds that have certainly passed; negative while it lies ahead. Within one start the steady time counts, too;
 * after a restart at most the time since then.
 */
export function minElapsed(since: Since, present: Moment): number {
  const [byClock, steady] = elapsedBy(since, present)
  if (steady !== null) return Math.min(byClock, steady)
  if (since.steady === null || !present.steady) return byClock
  return Math.min(byClock, present.steady.milliseconds)
}
