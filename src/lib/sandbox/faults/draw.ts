/**
 * Chance that can be repeated: the n-th draw of a seed is the same in every process and on every machine. The generator is
 * mulberry32, whose state moves on by a constant, so that any draw is reached at once. For faults only, never for secrets.
 */
export function nthDraw(seed: number, number: number): number {
  const state = (seed + Math.imul(number + 1, 0x6d2b79f5)) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Seeds beyond these say nothing more. */
export const largestSeed = 2 ** 32 - 1
