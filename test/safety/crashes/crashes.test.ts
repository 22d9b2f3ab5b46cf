/** A fixed sample of the crash matrix, over a file and for a file of payouts. The whole of it is `npm run test:deep crashes`. */
import { expect, test } from 'vitest'
import { writes } from '../answers/writes.ts'
import { batchCells, batchTitleOf, boundaries, cells, crashes, faults, teamCells, titleOf } from './cells.ts'
import { testBatchCells, testCells } from './matrix.ts'
import { batchSample, sample, teamSample } from './sample.ts'

testCells(sample)
testBatchCells(batchSample)

test('crash matrix: each cell has a title of its own, and each sample has every write, boundary, crash and fault', () => {
  expect(new Set([...cells.map(titleOf), ...batchCells.map(batchTitleOf)]).size).toBe(cells.length + batchCells.length)
  expect(new Set(teamCells.map(titleOf)).size).toBe(teamCells.length)
  for (const chosen of [sample, teamSample]) {
    expect(new Set(chosen.map(({ write }) => write)).size).toBe(writes.length)
    expect(new Set(chosen.map(({ boundary }) => boundary)).size).toBe(boundaries.length)
    expect(new Set(chosen.map(({ crash }) => crash)).size).toBe(crashes.length)
    expect(new Set(chosen.map(({ fault }) => fault)).size).toBe(faults.length)
  }
})
