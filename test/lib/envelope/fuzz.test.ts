import { expect, test, vi } from 'vitest'
import { vectorSets } from '../../vectors/vectors.ts'
import { fuzz } from './fuzz.ts'

// Hundreds of inputs, each of which takes its time.
vi.setConfig({ testTimeout: 60_000 })

const mutated = 3000

test(`${mutated} mutated envelopes: no crash, no wrong plaintext; npm run fuzz makes more`, async () => {
  const { faults, opened, refused } = await fuzz(vectorSets[0]?.privateKey ?? '', 20261120, mutated)
  expect(faults).toEqual([])
  expect(opened).toBeGreaterThan(300)
  expect(refused).toBeGreaterThan(1000)
}, 60_000)
