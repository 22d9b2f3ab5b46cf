/** Two machines that pay the same rows are killed again and again, with their database. */
import { test } from 'vitest'
import { ownPostgresServer } from '../kit/postgres.ts'
import { mustPayOnce } from './killed-machines.ts'

const server = ownPostgresServer()

test(
  'batch run: the same 300 rows in plans of two machines, both and the database killed four times: each row is paid once',
  { timeout: 600_000 },
  () => mustPayOnce(server, { rows: 300, kills: 4 }),
)
