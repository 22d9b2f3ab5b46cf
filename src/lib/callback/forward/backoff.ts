/** The pause before something that failed is tried again. */
import type { Random } from '../../edge.ts'

const base = 500
const longest = 30_000

/** Milliseconds before the try after so many failed ones: doubling, 30 s at most, between a half and the whole of it. */
export function backoff(tries: number, random: Pick<Random, 'fraction'>): number {
  const whole = Math.min(longest, base * 2 ** Math.min(tries - 1, 16))
  return Math.round(whole * (0.5 + random.fraction() / 2))
}
