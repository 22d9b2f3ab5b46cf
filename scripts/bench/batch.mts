/**
 * Files of payouts, timed with the built program. Rows a second of `batch run`, beside a bare undici client without journal or
 * checks: against a service that answers in 20 ms at least 0.9 of its rate, against one that answers at once 0.03. With --rows
 * the reading: 10,000 rows checked in at most 25 times the time of a bare `node -e 0`, and a million rows of CSV and 200,000
 * payments of pain.001 in 128 MB, checked and planned, in proportion to a tenth of them. Exit code 1 where that does not hold, 2
 * where the machine was too noisy to judge. `npm run build && npm run bench:batch -- [--rows] [rounds]`
 */
import { compareRates } from './batch/rates.mts'
import { measureRows } from './batch/rows.mts'

const given = process.argv.slice(2)
const rounds = Number(given.find((each) => /^\d+$/.test(each)) ?? 5)

process.exitCode = given.includes('--rows')
  ? await measureRows(rounds)
  : await compareRates(
      [
        { late: 20, rows: 10_000, least: 0.9 },
        { late: 0, rows: 10_000, least: 0.03 },
      ],
      rounds,
    )
