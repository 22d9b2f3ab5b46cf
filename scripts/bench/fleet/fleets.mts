/** Rows a second of one worker, of three, and of a run on SQLite: from the hand-over of a plan to the end that is told. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { csvOf, written } from '../batch/payees.mts'
import { program, timedPaydesk } from '../batch/program.mts'
import { judgeRatios, median } from '../judge.mts'
import { type BenchServer, benchServer } from './postgres.mts'
import { bareService, type RaceService, sandboxService } from './service.mts'

export interface FleetRace {
  readonly service: 'sandbox' | 'bare'
  /** Milliseconds after which the service answers. */
  readonly late: number
  readonly rows: number
  /** Requests of a worker on their way at once. */
  readonly concurrency: number
}

class Course {
  readonly #directory: string
  readonly #service: RaceService
  readonly #server: BenchServer
  readonly #race: FleetRace
  #homes = 0

  constructor(directory: string, service: RaceService, server: BenchServer, race: FleetRace) {
    this.#directory = directory
    this.#service = service
    this.#server = server
    this.#race = race
  }

  /** Rows a second of so many workers; of none: of a run on SQLite. A new home and a new store each time. */
  async rate(workers: number): Promise<number> {
    const home = join(this.#directory, `home-${this.#homes}`)
    this.#homes += 1
    const leave = await this.#service.enter(home)
    const env = workers === 0 ? {} : { ...(await this.#server.newStore()) }
    const { rows, concurrency } = this.#race
    const file = join(this.#directory, 'rows.csv')
    const plan = timedPaydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'bench', '--json'], home, [], env)
    const { planId, consent } = JSON.parse(plan.stdout) as { planId: string; consent: string }
    const fleet = await Promise.all(Array.from({ length: workers }, () => this.#worker(home, env)))
    const how = workers === 0 ? ['--concurrency', String(concurrency)] : ['--workers']
    const run = timedPaydesk(['batch', 'run', planId, ...how, '--confirm', consent, '--json'], home, [], env)
    const { accepted } = JSON.parse(run.stdout) as { accepted: number }
    if (accepted !== rows) throw new Error(`${accepted} of ${rows} rows were accepted`)
    for (const child of fleet) child.kill('SIGTERM')
    await Promise.all(fleet.map((child) => once(child, 'exit')))
    await leave()
    rmSync(home, { recursive: true, force: true })
    return rows / (run.milliseconds / 1000)
  }

  /** Resolves when it is at work. */
  async #worker(home: string, more: Readonly<Record<string, string>>): Promise<ChildProcess> {
    const env = { PATH: process.env.PATH ?? '', HOME: home, PAYDESK_HOME: home, ...more }
    const argv = [program, 'worker', 'start', '-p', 'bench', '--concurrency', String(this.#race.concurrency)]
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    await once(child.stderr, 'data')
    child.stderr.resume()
    return child
  }
}

function told(name: string, rates: readonly number[]): string {
  const range = `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`
  return `  ${name.padEnd(15)}${median(rates).toFixed(0).padStart(5)} rows/s  (${range})`
}

/** Gives the exit code: 0 held, 1 too slow, 2 too noisy to judge. */
export async function compareFleets(race: FleetRace, rounds: number): Promise<0 | 1 | 2> {
  const directory = mkdtempSync(join(tmpdir(), 'paydesk-bench-'))
  const server = await benchServer(directory)
  written(join(directory, 'rows.csv'), csvOf(race.rows))
  const { late } = race
  const service = race.service === 'bare' ? await bareService(directory, late) : sandboxService(directory, late)
  try {
    const course = new Course(directory, service, server, race)
    const [sqlite, one, three]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round += 1) {
      sqlite.push(await course.rate(0))
      one.push(await course.rate(1))
      three.push(await course.rate(3))
    }
    const more = three.map((rate, at) => rate / (one[at] ?? 0))
    const beside = one.map((rate, at) => rate / (sqlite[at] ?? 0))
    const verdicts = [judgeRatios(more, 2.5), judgeRatios(beside, 0.8)] as const
    const [ofMore, ofBeside] = verdicts
    process.stdout.write(
      [
        `${race.service === 'bare' ? 'a bare server' : 'the sandbox'}, which answers in ${late} ms, ${race.rows} rows, concurrency ${race.concurrency}, ${rounds} rounds`,
        ...[told('batch run', sqlite), told('one worker', one), told('three workers', three)],
        `  three to one         ${median(more).toFixed(2)}; at least 2.5: ${ofMore.verdict}`,
        `  one to batch run     ${median(beside).toFixed(2)}; at least 0.8: ${ofBeside.verdict}\n`,
      ].join('\n'),
    )
    const exits = verdicts.map(({ exit }) => exit)
    if (exits.includes(1)) return 1
    return exits.includes(2) ? 2 : 0
  } finally {
    service.stop()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
