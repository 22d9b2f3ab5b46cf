/** The README counts the crash matrix as it is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writes } from '../answers/writes.ts'
import {
  batchCells,
  batchTitleOf,
  boundaries,
  cells,
  crashes,
  faults,
  teamCells,
  teamCrashes,
  titleOf,
} from './cells.ts'

test('the README says how large the crash matrix is, and each of its cells bears its own name', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8')
  const many = (count: number) => count.toLocaleString('en')
  const sizes = `${writes.length} writes × ${boundaries.length} boundaries × ${crashes.length} crashes × ${faults.length} faults`
  expect(readme).toContain(`${sizes}, ${many(cells.length)} cells, and ${many(batchCells.length)} of a file of payouts`)
  expect(readme).toContain(
    `over a team's store, ${teamCrashes.length} crashes of the program or of the database: ${many(teamCells.length)} cells`,
  )
  expect(new Set(teamCells.map(titleOf)).size).toBe(teamCells.length)
  expect(new Set([...cells.map(titleOf), ...batchCells.map(batchTitleOf)]).size).toBe(cells.length + batchCells.length)
})
