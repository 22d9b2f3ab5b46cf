/**
 * The reading of files: 10,000 rows checked beside a bare `node -e 0`; files of a million rows checked and planned in little
 * memory, and in ten times the time of a tenth of them.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, spread, tooNoisy } from '../judge.mts'
import { csvOf, painOf, written } from './payees.mts'
import { newBenchHome, timedNode, timedPaydesk } from './program.mts'
import { builtParts, served } from './served.mts'

/** Times a bare Node that 10,000 rows may take to check. */
const mostTimes = 25
/** Megabytes of heap. */
const mostMemory = 128
/** Times as long as a tenth of the rows that all of them may take. */
const mostGrowth = 12

type Exit = 0 | 1 | 2

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function checkTimes(directory: string, rounds: number): Exit {
  const file = join(directory, '10000.csv')
  written(file, csvOf(10_000))
  const [bare, checked]: [number[], number[]] = [[], []]
  for (let round = -1; round < rounds; round += 1) {
    const alone = timedNode(['-e', '0'], directory).milliseconds
    const each = timedPaydesk(['batch', 'check', file, '--key-column', 'key'], directory).milliseconds
    if (round < 0) continue
    bare.push(alone)
    checked.push(each)
  }
  const ratios = checked.map((milliseconds, at) => milliseconds / (bare[at] ?? 0))
  const noise = tooNoisy([spread(ratios)])
  const isHeld = median(ratios) <= mostTimes
  const range = `${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`
  say(`10000 rows of CSV checked in ${median(checked).toFixed(0)} ms, a bare node in ${median(bare).toFixed(0)} ms`)
  say(
    `  ratio        ${median(ratios).toFixed(1)} in the median round (${range}); at most ${mostTimes}: ${noise ?? (isHeld ? 'ok' : 'TOO SLOW')}`,
  )
  if (noise !== null) return 2
  return isHeld ? 0 : 1
}

interface BigFile {
  readonly format: 'csv' | 'xml'
  readonly rows: number
}

/** Seconds. Throws where the memory does not do. */
function read(directory: string, url: string, command: 'check' | 'plan', { format, rows }: BigFile): number {
  const file = join(directory, `${rows}.${format}`)
  const home = join(directory, `home-${command}-${format}-${rows}`)
  newBenchHome(home, url)
  const keyed = format === 'csv' ? ['--key-column', 'key'] : []
  const as = command === 'plan' ? ['-p', 'bench'] : []
  const limit = [`--max-old-space-size=${mostMemory}`]
  const { milliseconds, stdout } = timedPaydesk(['batch', command, file, ...keyed, ...as, '--json'], home, limit)
  const told = JSON.parse(stdout) as { rows: number }
  if (told.rows !== rows) throw new Error(`${told.rows} of ${rows} rows were read`)
  rmSync(home, { recursive: true, force: true })
  return milliseconds / 1000
}

function grow(directory: string, url: string, { format, rows }: BigFile): Exit {
  const [tenth, all] = [rows / 10, rows]
  for (const count of [tenth, all]) {
    const pieces = format === 'csv' ? csvOf(count) : painOf(count, new Date().toISOString().slice(0, 10))
    written(join(directory, `${count}.${format}`), pieces)
  }
  const megabytes = (statSync(join(directory, `${all}.${format}`)).size / 2 ** 20).toFixed(0)
  say(`${all} rows of ${format === 'csv' ? 'CSV' : 'pain.001'} (${megabytes} MiB) in ${mostMemory} MB of heap`)
  let exit: Exit = 0
  for (const command of ['check', 'plan'] as const) {
    const few = read(directory, url, command, { format, rows: tenth })
    const many = read(directory, url, command, { format, rows: all })
    const isHeld = many / few <= mostGrowth
    if (!isHeld) exit = 1
    const figures = `${many.toFixed(1)} s, a tenth of them in ${few.toFixed(1)} s`
    say(
      `  ${command.padEnd(12)} ${figures}: ${(many / few).toFixed(1)} times, at most ${mostGrowth}: ${isHeld ? 'ok' : 'TOO SLOW'}`,
    )
  }
  return exit
}

/** Gives the exit code: 0 held, 1 too slow, 2 too noisy to judge. Throws where the memory does not do. */
export async function measureRows(rounds: number): Promise<Exit> {
  const directory = mkdtempSync(join(tmpdir(), 'paydesk-bench-'))
  try {
    mkdirSync(directory, { recursive: true })
    const { service } = await builtParts(directory)
    const { child, url } = await served(service, 0)
    try {
      const checked = checkTimes(directory, rounds)
      const files: readonly BigFile[] = [
        { format: 'csv', rows: 1_000_000 },
        { format: 'xml', rows: 200_000 },
      ]
      const exits = [checked, ...files.map((file) => grow(directory, url, file))]
      return exits.includes(1) ? 1 : checked
    } finally {
      child.kill()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
