/**
 * The pauses between attempts (money-safety.md#what-may-be-repeated): full jitter, base 0.5 s, doubling, 8 s at most, four
 * repeats at most, inside the time of the command. The operation's `repeats` decide whether there may be another attempt at
 * all.
 */
import type { Random } from '../../edge.ts'

export const mostRepeats = 4
const base = 500
const longest = 8_000
/** Less time than this is none: a try that cannot be answered would only hide why the others failed. */
const shortestTry = 500
/** The longest pause that a service may ask for. */
const longestAsked = 60_000

/** Milliseconds before repeat number `repeat` (0 for the first). */
export function pause(repeat: number, random: Random): number {
  return Math.round(random.fraction() * Math.min(longest, base * 2 ** repeat))
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
  const chosen = Math.max(asked ?? 0, pause(repeat, random))
  return now + chosen + shortestTry < deadline ? chosen : null
}
