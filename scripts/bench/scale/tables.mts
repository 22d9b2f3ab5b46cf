/** The tables of docs/internals/scale.md, written between their marks. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { Driven } from './drive.mts'
import { type Costs, played } from './model.mts'
import type { Result } from './race.mts'

type Cells = readonly (string | number)[]

function table(head: Cells, lines: readonly Cells[]): string {
  const line = (cells: Cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}

const whole = (number: number) => Math.round(number).toLocaleString('en')
const short = (number: number) => number.toFixed(1)

const percent = (share: number) => `${Math.round(100 * share)} %`
const kilobytes = (bytes: number) => `${short(bytes / 1000)} kB`

export function measuredTable(results: readonly Result[]): string {
  const head = [
    ...['workers', 'service', 'way to the store', 'rows/s', 'writes in a commit', 'commits/s', 'row locked'],
    ...['by an idle client', 'writers waiting', 'CPU of Postgres', 'CPU of workers', 'WAL'],
  ]
  return table(
    head,
    results.map((each) => [
      ...[each.workers, `${each.late} ms`, `${2 * each.storeLate} ms`, whole(each.rate)],
      ...[short((2 * each.rows) / each.commits), whole(each.commits / each.seconds), percent(each.heldShare)],
      ...[percent(each.idleShare), short(each.waiting)],
      ...[`${each.serverCpu.toFixed(2)} ms`, `${each.workerCpu.toFixed(2)} ms`, kilobytes(each.logged)],
    ]),
  )
}

/** The store alone, without workers' processes and a service. */
export function drivenTable(results: readonly Driven[]): string {
  const head = ['simulated workers', 'rows/s', 'writes in a commit', 'CPU of Postgres', 'CPU of the clients', 'WAL']
  return table(
    head,
    results.map((each) => [
      ...[each.workers, whole(each.rate), short((2 * each.rows) / each.commits)],
      ...[`${each.serverCpu.toFixed(2)} ms`, `${each.clientCpu.toFixed(2)} ms`, kilobytes(each.logged)],
    ]),
  )
}

const manyWorkers = [1, 3, 8, 16, 32, 64, 100]
const ways = [
  { late: 20, away: 0 },
  { late: 50, away: 0 },
  { late: 200, away: 0 },
  { late: 50, away: 1 },
  { late: 50, away: 5 },
]

export function playedTable(costs: Costs, concurrency: number): string {
  return table(
    ['service', 'to the store and back', ...manyWorkers.map((count) => (count === 1 ? '1 worker' : `${count}`))],
    ways.map(({ late, away }) => [
      ...[`${late} ms`, `${away} ms`],
      ...manyWorkers.map((workers) => whole(played(costs, { workers, concurrency, late, away }))),
    ]),
  )
}

export function costsInWords({ perCommit, perWrite, ways: count }: Costs): string {
  return `A commit holds the store's row for ${perCommit.toFixed(2)} ms and ${perWrite.toFixed(2)} ms more for each write in it, and for ${short(count)} ways to the store and back.`
}

/** Puts texts between `<!-- name -->` and `<!-- end of name -->`. Throws where a mark is missing. */
export function put(path: string, texts: Readonly<Record<string, string>>): void {
  let page = readFileSync(path, 'utf8')
  for (const [name, text] of Object.entries(texts)) {
    const [before, rest] = page.split(`<!-- ${name} -->\n`)
    const after = rest?.split(`<!-- end of ${name} -->`)[1]
    if (before === undefined || after === undefined) throw new Error(`${path} has no marks for ${name}`)
    page = `${before}<!-- ${name} -->\n\n${text}\n\n<!-- end of ${name} -->${after}`
  }
  writeFileSync(path, page)
}
