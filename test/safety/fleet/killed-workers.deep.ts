/** A plan of the size that a team has, paid by workers that are killed. */
import { test } from 'vitest'
import { ownPostgresServer } from '../../kit/postgres.ts'
import { mustPayOnce } from './killed-workers.ts'

const server = ownPostgresServer()

test(
  'worker start: 5000 rows, three workers killed six times, the database twice: each row is paid once',
  { timeout: 1_800_000 },
  () => mustPayOnce(server, { rows: 5000, workers: 3, kills: 6 }),
)
