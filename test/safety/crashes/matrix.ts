/** The crash matrix as tests. The built program is killed, or its disk or store is: that takes seconds on a busy machine. */
import { expect, test } from 'vitest'
import { ownPostgresServer } from '../../kit/postgres.ts'
import { tellBatchCell } from './batch.ts'
import { type BatchCell, batchTitleOf, type Cell, type TeamCell, titleOf } from './cells.ts'
import { tellCell } from './story.ts'
import { inServer, Servers } from './team-place.ts'

const outcome = 'every later command tells the truth, and nothing is paid twice'

export function testCells(cells: readonly Cell[]): void {
  test.concurrent.each(cells.map((cell) => [titleOf(cell), cell] as const))(
    `%s: ${outcome}`,
    { timeout: 120_000 },
    async (_title, cell) => {
      const lines = await tellCell(cell)
      expect(lines.length, `\n${lines.join('\n')}\n`).toBe(0)
    },
  )
}

/** Each cell kills the server that it uses: `servers` of them serve one cell at a time each. */
export function testTeamCells(cells: readonly TeamCell[], servers: number): void {
  const all = new Servers(Array.from({ length: servers }, () => ownPostgresServer()))
  test.concurrent.each(cells.map((cell) => [titleOf(cell), cell] as const))(
    `team, %s: ${outcome}`,
    { timeout: 300_000 },
    (_title, cell) =>
      all.lent(async (server) => {
        const lines = await tellCell(cell, await inServer(server, cell))
        expect(lines.length, `\n${lines.join('\n')}\n`).toBe(0)
      }),
  )
}

export function testBatchCells(cells: readonly BatchCell[]): void {
  test.concurrent.for(cells.map((cell) => [batchTitleOf(cell), cell] as const))(
    '%s: each row is paid once, and the counts are true',
    { timeout: 120_000 },
    ([, cell], { onTestFinished }) => tellBatchCell(cell, onTestFinished),
  )
}
