/** The fixed sample of the crash matrix: each write, boundary, crash and fault at least once. */
import { cycled } from '../../kit/tools.ts'
import { writes } from '../answers/writes.ts'
import { boundaries, type Cell, crashes, faults, teamCrashes } from './cells.ts'

/** No two of these lists have lengths with a common factor, so that their values meet in ever new pairs. */
const diagonal = (at: number): Omit<Cell, 'crash'> => ({
  write: cycled(writes, at),
  boundary: cycled(boundaries, at),
  fault: cycled(faults, at),
})
const first = <Value>(count: number, value: (at: number) => Value) =>
  Array.from({ length: count }, (_, at) => value(at))

export const sample = first(2 * faults.length, (at) => ({ ...diagonal(at), crash: cycled(crashes, at) }))
export const teamSample = first(faults.length, (at) => ({ ...diagonal(at), crash: cycled(teamCrashes, at) }))
export const batchSample = first(faults.length, (at) => {
  const { boundary, fault } = diagonal(at)
  return { boundary, fault, crash: cycled(crashes, at), nth: cycled([1, 3], at) }
})
