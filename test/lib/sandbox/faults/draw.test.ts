import { expect, test } from 'vitest'
import { largestSeed, nthDraw } from '../../../../src/lib/sandbox/faults.ts'

/** The generator as its author writes it: one draw after the other. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

test('draw n of a seed is the n-th of mulberry32, in whatever order it is asked for', () => {
  for (const seed of [0, 1, 7, 12345, largestSeed]) {
    const next = mulberry32(seed)
    const drawn = Array.from({ length: 500 }, next)
    expect(Array.from({ length: 500 }, (_, at) => nthDraw(seed, 499 - at)).toReversed()).toEqual(drawn)
  }
  expect([0, 1, 2].map((number) => nthDraw(7, number))).toEqual([
    0.011704753153026104, 0.06195825757458806, 0.97690763277933,
  ])
})

test('draws lie in [0, 1), evenly, for every seed', () => {
  for (const seed of [0, 1, 7, largestSeed]) {
    const tenths = Array<number>(10).fill(0)
    for (let number = 0; number < 10_000; number += 1) {
      const drawn = nthDraw(seed, number)
      expect(drawn >= 0 && drawn < 1).toBe(true)
      const tenth = Math.floor(drawn * 10)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150)
  }
})

test('another seed draws otherwise', () => {
  const drawn = [1, 2, 3, 4].map((seed) => nthDraw(seed, 0))
  expect(new Set(drawn).size).toBe(4)
})
