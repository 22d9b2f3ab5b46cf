/**
 * Workers of a team, timed with the built program over a real Postgres: against the sandbox that answers in 50 ms three workers with
 * --concurrency 4 reach at least 2.5 times the rate of one, and one reaches at least 0.8 of `batch run` on SQLite. Exit code 1
 * where that does not hold, 2 where the machine was too noisy to judge. `npm run build && npm run bench:fleet -- [rounds] [bare]`;
 * a bare server takes less of the machine than the sandbox, which keeps a ledger.
 */
import { compareFleets } from './fleet/fleets.mts'

const [, , rounds = '3', bare] = process.argv
// The sandbox's client can pay no more rows than these.
const race =
  bare === 'bare' ? ({ service: 'bare', rows: 2400 } as const) : ({ service: 'sandbox', rows: 1500 } as const)

process.exitCode = await compareFleets({ ...race, late: 50, concurrency: 4 }, Number(rounds))
