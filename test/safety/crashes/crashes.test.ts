/**
 * A fixed sample of the crash matrix: each write, boundary, crash and fault at least once, over a file and over a team's store,
 * and for a file of payouts. The whole matrix is `npm run test:deep crashes`.
 */
import { expect, test } from 'vitest'
import { cycled } from '../../kit/run/sample.ts'
import { writes } from '../answers/writes.ts'
import {
  batchCells,
  batchTitleOf,
  boundaries,
  type Cell,
  cells,
  crashes,
  faults,
  teamCells,
  teamCrashes,
  titleOf,
} from './cells.ts'
import { testBatchCells, testCells, testTeamCells } from './matrix.ts'

/** No two of these lists have lengths with a common factor, so that their values meet in ever other ways. */
const diagonal = (at: number): Omit<Cell, 'crash'> => ({
  write: cycled(writes, at),
  boundary: cycled(boundaries, at),
  fault: cycled(faults, at),
})
const first = <Value>(count: number, value: (at: number) => Value) =>
  Array.from({ length: count }, (_, at) => value(at))

const sample = first(2 * faults.length, (at) => ({ ...diagonal(at), crash: cycled(crashes, at) }))
const teamSample = first(faults.length, (at) => ({ ...diagonal(at), crash: cycled(teamCrashes, at) }))
const batchSample = first(faults.length, (at) => {
  const { boundary, fault } = diagonal(at)
  return { boundary, fault, crash: cycled(crashes, at), nth: cycled([1, 3], at) }
})

testCells(sample)
testTeamCells(teamSample, 1)
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
