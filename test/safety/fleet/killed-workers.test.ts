/** A small plan of the whole in killed-workers.deep.ts. */
import { test } from 'vitest'
import { ownPostgresServer } from '../../kit/postgres.ts'
import { mustPayOnce } from './killed-workers.ts'

const server = ownPostgresServer()

// Four workers start one after the other, and a database starts again.
test(
  'worker start: 150 rows, workers and the database killed in the middle: each row is paid once',
  { timeout: 120_000 },
  () => mustPayOnce(server, { rows: 150, workers: 2, kills: 2 }),
)
