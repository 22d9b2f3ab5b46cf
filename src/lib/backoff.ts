/**
 * The pauses of the program (money-safety.md#what-may-be-repeated): before a request is repeated, and before something that is not
 * there yet is looked at again.
 */
import type { Random } from './edge.ts'

/** Milliseconds: the first pause, and the longest. */
interface Steps {
  readonly base: number
  readonly longest: number
}

const usual: Steps = { base: 500, longest: 8_000 }
export const mostRepeats = 4
/** Less time than this is none: a try that cannot be answered would only hide why the others failed. */
const shortestTry = 500
/** The longest pause that a service may ask for. */
const longestAsked = 60_000

/** Milliseconds before repeat number `repeat` (0 for the first) of somebody who waits alone: doubling. */
export function doublingPause(repeat: number, { base, longest }: Steps = usual): number {
  return Math.min(longest, base * 2 ** repeat)
}

/** The same with full jitter, for a service that others ask, too. */
export function backoff(repeat: number, random: Pick<Random, 'fraction'>, steps: Steps = usual): number {
  return Math.round(random.fraction() * doublingPause(repeat, steps))
}

/** Milliseconds that a Retry-After asks for, given in seconds or as an HTTP date. Null where it is unreadable. */
export function askedPause(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null
  const text = retryAfter.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** The pause before the next try; null if there is to be none: too many, or no time left, or asked to wait too long. */
export function nextPause(
  repeat: number,
  asked: number | null,
  random: Random,
  now: number,
  deadline: number,
): number | null {
  if (repeat >= mostRepeats || (asked ?? 0) > longestAsked) return null
  const chosen = Math.max(asked ?? 0, backoff(repeat, random))
  return now + chosen + shortestTry < deadline ? chosen : null
}

/** Resolves or rejects as the work does; rejects with the signal's reason when it fires first, and leaves the work to itself. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let abandon: () => void = () => undefined
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => reject(signal.reason)
  })
  signal.addEventListener('abort', abandon, { once: true })
  if (signal.aborted) abandon()
  try {
    // Behind the signal it makes no difference that the work is done already.
    return await Promise.race([abandoned, work])
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}

/** Looks cost something: one part in so many of the time at most is spent with them. */
const partOfTime = 10

/**
 * The pauses between looks, for somebody who looks until something is over: `least` milliseconds, and more where looks take long. The
 * quicker of the last two looks is their measure, because one may have waited for a database that was away.
 */
export function lookPauses(least: number): (took: number) => number {
  let before = 0
  return (took) => {
    const cost = Math.min(before, took)
    before = took
    return Math.max(least, cost * partOfTime)
  }
}

/** "next attempt in 1.5 s". */
export function nextAttempt(milliseconds: number): string {
  return `next attempt in ${Math.max(0.1, milliseconds / 1000).toFixed(1)} s`
}
