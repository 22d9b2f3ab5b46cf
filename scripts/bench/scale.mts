/**
 * How much one Postgres carries: rows a second by workers, by the latency of the service and of the store, who has
 * the store's row, what a row costs, the store driven alone, and a hundred workers played over these costs. Writes its tables into docs/internals/scale.md; six minutes on two quiet cores.
 * `npm run build && npm run bench:scale -- [share of the rows, 1 by default]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtParts } from './batch/served.mts'
import { benchServer } from './fleet/postgres.mts'
import { type Driven, drive } from './scale/drive.mts'
import { costsOf } from './scale/model.mts'
import { type Result, race, type Setting } from './scale/race.mts'
import { costsInWords, drivenTable, measuredTable, playedTable, put } from './scale/tables.mts'

const share = Number(process.argv[2] ?? 1)
const concurrency = 16
const secondsEach = 8

/** As many rows as take about so long, and chunks enough for every worker. */
function rowsFor(workers: number, late: number, storeLate: number): number {
  const guess = Math.min((workers * concurrency * 1000) / (late + 12 + 12 * storeLate), 2_500)
  return Math.max(100, Math.round(share * Math.max(guess * secondsEach, 100 * workers)))
}

const near = [20, 50].flatMap((late) => [1, 2, 4, 8].map((workers) => ({ workers, late, storeLate: 0 })))
const far = [1, 5].flatMap((storeLate) => [1, 4].map((workers) => ({ workers, late: 50, storeLate })))
const settings: readonly Setting[] = [...near, ...far].map((each) => ({
  ...each,
  concurrency,
  rows: rowsFor(each.workers, each.late, each.storeLate),
}))

const started = performance.now()
const directory = mkdtempSync(join(tmpdir(), 'paydesk-bench-'))
const server = await benchServer(directory)
const results: Result[] = []
const driven: Driven[] = []
try {
  for (const workers of [1, 8, 32]) driven.push(await drive(server, workers, Math.round(share * 20_000)))
  const { service } = await builtParts(directory)
  for (const setting of settings) {
    const result = await race({ directory, server, service }, setting)
    results.push(result)
    process.stdout.write(`${JSON.stringify(result)}\n`)
  }
} finally {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
const costs = costsOf(results, driven)
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, Postgres, workers and service on one machine, \`--concurrency ${concurrency}\`${share === 1 ? '' : `, ${share} of the usual rows`}.`
const texts = {
  driven: drivenTable(driven),
  measured: `${machine}\n\n${measuredTable(results)}`,
  played: `${costsInWords(costs)}\n\n${playedTable(costs, concurrency)}`,
}
process.stdout.write(`${texts.driven}\n\n${texts.measured}\n\n${texts.played}\n`)
process.stdout.write(`${((performance.now() - started) / 60_000).toFixed(1)} minutes\n`)
put(join(import.meta.dirname, '..', '..', 'docs', 'internals', 'scale.md'), texts)
