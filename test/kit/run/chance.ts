/** Numbers by chance that a run repeats if it is given the seed of the one before. */
import fc from 'fast-check'

/** What gives numbers from 0 up to 1, always the same ones for a seed: the run's own, unless another is given (mulberry32). */
export function seededNumbers(seed = fc.readConfigureGlobal().seed ?? 1): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
