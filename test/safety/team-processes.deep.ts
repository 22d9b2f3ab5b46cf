/** Many processes of a team at once. */
import { test } from 'vitest'
import { postgresServer } from '../kit/postgres.ts'
import { mustStayWithin } from './team-processes.ts'

const server = postgresServer()

test(
  'payout create: 32 processes of two machines at once pay one key once and stay within the limit of a day',
  { timeout: 600_000 },
  () => mustStayWithin(server, 32, 8),
)
