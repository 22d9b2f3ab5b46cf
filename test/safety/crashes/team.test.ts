/** A fixed sample of the crash matrix over a team's store. */
import { testTeamCells } from './matrix.ts'
import { teamSample } from './sample.ts'

testTeamCells(teamSample, 1)
