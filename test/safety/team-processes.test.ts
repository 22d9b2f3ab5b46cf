/** A few processes; many of them in team-processes.deep.ts. */
import { test } from 'vitest'
import { postgresServer } from '../kit/postgres.ts'
import { mustStayWithin } from './team-processes.ts'

const server = postgresServer()

// Six processes start at once.
test(
  'payout create: six processes of two machines at once pay one key once and stay within the limit of a day',
  { timeout: 60_000 },
  () => mustStayWithin(server, 6, 2),
)
