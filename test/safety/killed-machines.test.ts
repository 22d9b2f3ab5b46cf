/** A small plan of the whole in killed-machines.deep.ts. */
import { test } from 'vitest'
import { ownPostgresServer } from '../kit/postgres.ts'
import { mustPayOnce } from './killed-machines.ts'

const server = ownPostgresServer()

// Four processes or more, two at once, and a database that starts again.
test(
  'batch run: the same 60 rows in plans of two machines, both and the database killed: each row is paid once',
  { timeout: 120_000 },
  () => mustPayOnce(server, { rows: 60, kills: 1 }),
)
