/**
 * Workers of a team, timed with the built program over a real Postgres: against a service that answers in 50 ms three workers with
 * --concurrency 4 reach at least 2.5 times the rate of one, and one reaches at least 0.8 of `batch run` on SQLite. Exit code 1
 * where that does not hold, 2 where the machine was too noisy to judge. `npm run build && npm run bench:fleet -- [rounds]`
 */
import { compareFleets } from './fleet/fleets.mts'

process.exitCode = await compareFleets({ late: 50, rows: 2400, concurrency: 4 }, Number(process.argv[2] ?? 3))
