/** The server of a team as the ground of its machines. The store over it is the program's own; only the wire is simulated. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { ageSinceFirstSeen } from '../../../src/lib/journal/team.ts'
import type { JournalTables } from '../../../src/lib/store/journal/schema.ts'
import { retryWhileAway, serverFault } from '../../../src/lib/store/postgres/faults.ts'
import { TeamStore } from '../../../src/lib/store/postgres/store.ts'
import { type FleetTables, teamSchema } from '../../../src/lib/store/team/schema.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'
import { type Ground, Traffic } from '../ground.ts'
import type { Mortal } from '../mortal.ts'
import type { World } from '../world.ts'
import { parseConnection, patience, type Traveller, type Trouble } from './dialect.ts'
import { SimulatedServer } from './server.ts'

/** Without a hash chain, which is SQLite's or Postgres' own. */
const { chained: _chained, ...schema } = teamSchema

const place = 'in the simulation'
const way = { place, address: 'postgres://in.the.simulation' }

/** Where machines keep what the store could not take. One for all stories: it is told, and a seed replays byte for byte. */
let directory: string | undefined

const troubles = [
  ...(['before', 'middle', 'middle', 'unheard', 'unheard', 'unanswered', 'unanswered', 'unanswered'] as const),
  ...(['late', 'late', 'late-for-nothing', 'crash', 'forgotten'] as const),
] as const satisfies readonly Trouble[]

function traveller(world: World, mortal: Mortal, badness: number): Traveller {
  const { fate } = world
  return {
    name: mortal.name,
    pause: () => mortal.pause(),
    isDrowsy: mortal.isDrowsy,
    trouble: () => (!world.weather.fair && fate.chance(badness) ? fate.pick(troubles) : 'none'),
    below: (below) => fate.below(below),
    hasCommitted: () => mortal.hasWritten(),
  }
}

export async function teamGround(world: World): Promise<Ground> {
  const server = await SimulatedServer.of(world.timeline)
  directory ??= temporaryDirectory('stories')
  const home = directory
  const badness = world.fate.pick([0, 0.02, 0.1, 0.3])
  return {
    traffic: new Traffic(),
    intents: async () => server.committed.intents,
    attempts: async (id) => server.committed.attempts.filter(({ intent_id }) => intent_id === id),
    open(mortal, machine) {
      const dialect = parseConnection(server, traveller(world, mortal, badness))
      const settings = { machine, patience }
      // Each has connections of its own, as in every command.
      const journal = new TeamStore<JournalTables>(new Kysely({ dialect }), schema, way, settings)
      const store = new TeamStore<FleetTables>(new Kysely({ dialect }), schema, way, settings)
      const waiting = { patience, clock: machine, signal: undefined }
      const reach = () =>
        retryWhileAway(() => journal.look().then(() => store.look()), waiting).catch((error) => {
          throw serverFault(error, schema.title, place)
        })
      const [at = ''] = mortal.name.split('/')
      const team = { store, reach, knownFor: ageSinceFirstSeen(journal, machine), outbox: join(home, at) }
      return { store: journal, clock: journal.clock, team }
    },
    gone: (process) => server.gone(process),
    close: async () => {
      server.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
