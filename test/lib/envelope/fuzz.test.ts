import { expect, test } from 'vitest'
import { fuzz } from '../../kit/envelope/fuzz.ts'
import { vectorSets } from '../../kit/envelope/vectors.ts'

test('3,000 mutated envelopes: no crash, no wrong plaintext (`npm run fuzz` does 100,000)', async () => {
  const { faults, opened, refused } = await fuzz(vectorSets[0]?.privateKey ?? '', 20261120, 3000)
  expect(faults).toEqual([])
  expect(opened).toBeGreaterThan(300)
  expect(refused).toBeGreaterThan(1000)
}, 60_000)
