/** The crash matrix over a team's store: the program or its server is killed at a boundary of a write, and all that is said is true. */
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { postgresServer } from '../../kit/store/postgres.ts'
import { teamCells, titleOf } from './cells.ts'
import { share } from './share.ts'
import { tellCell } from './story.ts'
import { inServer, Servers } from './team-place.ts'

/** A server each for cells that are told at once. */
const servers = new Servers(Array.from({ length: env.PAYDESK_CRASHES === 'all' ? 4 : 1 }, () => postgresServer()))

test.concurrent.each(share("writes over a team's store", teamCells, titleOf, 'team'))(
  'team, %s',
  { timeout: 300_000 },
  (_title, cell) =>
    servers.lent(async (server) => {
      const lines = await tellCell(cell, await inServer(server, cell))
      expect(lines.length, `\n${lines.join('\n')}\n`).toBe(0)
    }),
)
