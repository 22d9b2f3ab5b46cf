/** The whole crash matrix of payouts and the wallet over a team's store. */
import { orderWrites } from '../answers/writes.ts'
import { teamCells } from './cells.ts'
import { testTeamCells } from './matrix.ts'

testTeamCells(
  teamCells.filter(({ write }) => !orderWrites.includes(write)),
  4,
)
