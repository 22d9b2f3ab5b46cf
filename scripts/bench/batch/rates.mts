/**
 * Rows a second of `batch run`, beside a bare undici client that keeps and checks nothing: both as processes, from their start
 * to their end, in turns.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judgeRatios, median } from '../judge.mts'
import { csvOf, written } from './payees.mts'
import { newBenchHome, timedNode, timedPaydesk } from './program.mts'
import { builtParts, served } from './served.mts'

const concurrency = 16

export interface Race {
  /** Milliseconds after which the service answers. */
  readonly late: number
  readonly rows: number
  /** The least share of the bare client's rate. */
  readonly least: number
}

/** What a run has used for a row. */
interface Usage {
  /** Milliseconds of the processor. */
  readonly cpu: number
  /** Bytes to the disk. */
  readonly written: number
}

class Rivals {
  readonly usages: Usage[] = []
  readonly #directory: string
  readonly #url: string
  readonly #bare: string
  readonly #race: Race
  #homes = 0

  constructor(directory: string, url: string, bare: string, race: Race) {
    this.#directory = directory
    this.#url = url
    this.#bare = bare
    this.#race = race
  }

  /** Rows a second. */
  bare(): number {
    const { rows } = this.#race
    const argv = [this.#bare, this.#url, String(rows), String(concurrency)]
    return rows / (timedNode(argv, this.#directory).milliseconds / 1000)
  }

  /** Rows a second of a plan that was made before. A new home, so that no round pays for the journal of another. */
  paydesk(): number {
    const { rows } = this.#race
    const home = join(this.#directory, `home-${this.#race.late}-${this.#homes}`)
    this.#homes += 1
    newBenchHome(home, this.#url)
    const plan = timedPaydesk(
      ['batch', 'plan', join(this.#directory, `${rows}.csv`), '--key-column', 'key', '-p', 'bench', '--json'],
      home,
    )
    const { planId, consent } = JSON.parse(plan.stdout) as { planId: string; consent: string }
    const given = ['--confirm', consent, '--concurrency', String(concurrency), '--json']
    const usage = join(home, 'usage.json')
    const hook = ['--require', join(import.meta.dirname, 'usage.cjs')]
    const { milliseconds, stdout } = timedPaydesk(['batch', 'run', planId, ...given], home, hook, {
      BENCH_USAGE: usage,
    })
    const { cpu, written: bytes } = JSON.parse(readFileSync(usage, 'utf8')) as Usage
    this.usages.push({ cpu: cpu / rows, written: bytes / rows })
    const { accepted } = JSON.parse(stdout) as { accepted: number }
    if (accepted !== rows) throw new Error(`${accepted} of ${rows} rows were accepted`)
    rmSync(home, { recursive: true, force: true })
    return rows / (milliseconds / 1000)
  }
}

function told(rates: readonly number[]): string {
  const range = `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`
  return `${median(rates).toFixed(0).padStart(6)} rows/s  (${range})`
}

function run(rivals: Rivals, { late, rows, least }: Race, rounds: number): 0 | 1 | 2 {
  const [ours, bare]: [number[], number[]] = [[], []]
  for (let round = -1; round < rounds; round += 1) {
    const isOursFirst = round % 2 === 0
    const first = isOursFirst ? rivals.paydesk() : rivals.bare()
    const second = isOursFirst ? rivals.bare() : rivals.paydesk()
    if (round < 0) continue
    ours.push(isOursFirst ? first : second)
    bare.push(isOursFirst ? second : first)
  }
  const ratios = ours.map((rate, at) => rate / (bare[at] ?? 0))
  const { verdict, exit } = judgeRatios(ratios, least)
  const used = (of: keyof Usage) => median(rivals.usages.map((each) => each[of]))
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  const when = late === 0 ? 'answers at once' : `answers in ${late} ms`
  process.stdout.write(
    [
      `a service that ${when}, ${rows} rows, concurrency ${concurrency}, ${rounds} rounds`,
      `  batch run    ${told(ours)}`,
      `  bare undici  ${told(bare)}`,
      `  a row        ${used('cpu').toFixed(2)} ms of the processor, ${(used('written') / 1000).toFixed(1)} kB written`,
      `  ratio        ${median(ratios).toFixed(2)} in the median round (${range}); at least ${least}: ${verdict}\n`,
    ].join('\n'),
  )
  return exit
}

/** Gives the exit code: 0 held, 1 too slow, 2 too noisy to judge. */
export async function compareRates(races: readonly Race[], rounds: number): Promise<0 | 1 | 2> {
  const directory = mkdtempSync(join(tmpdir(), 'paydesk-bench-'))
  try {
    const { service, bare } = await builtParts(directory)
    const exits: (0 | 1 | 2)[] = []
    for (const race of races) {
      written(join(directory, `${race.rows}.csv`), csvOf(race.rows))
      const { child, url } = await served(service, race.late)
      try {
        exits.push(run(new Rivals(directory, url, bare, race), race, rounds))
      } finally {
        child.kill()
      }
    }
    if (exits.includes(1)) return 1
    return exits.includes(2) ? 2 : 0
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
