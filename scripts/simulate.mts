/**
 * Runs as many seeded stories as asked for: `npm run simulate -- 100000 [first seed] [plays]`. A story that fails prints its
 * end. `plays` are names with commas between them: what may befall the stories; everything, if none is named.
 * Many stories are shared out among the cores; a seed tells the same story wherever it runs. With SIMULATE_UNTIL_FAILURE=1 a
 * share ends with the first story that fails.
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { removeTemporary } from '../test/kit/run/temporary.ts'
import { type Play, plays } from '../test/simulator/plays.ts'
import { simulate } from '../test/simulator/simulation.ts'

interface Tally {
  readonly counts: Readonly<Record<string, number>>
  readonly trades: Readonly<Record<string, number>>
  readonly failed: number
}

const [manyAsked = '10000', firstAsked = '1', playsAsked] = process.argv.slice(2)
const many = Number(manyAsked)
const first = Number(firstAsked)
const named = playsAsked?.split(',')
const allowed: readonly Play[] = named ? plays.filter((play) => named.includes(play)) : plays

/** Fewer are not worth a process of their own. */
const worthSharing = 1000

function added(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): Record<string, number> {
  const sum: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

async function tell(from: number, stories: number): Promise<Tally> {
  let tally: Tally = { counts: {}, trades: {}, failed: 0 }
  for (let seed = from; seed < from + stories; seed += 1) {
    try {
      const { counts, trade } = await simulate(seed, allowed)
      tally = { ...tally, counts: added(tally.counts, counts), trades: added(tally.trades, { [trade]: 1 }) }
    } catch (error) {
      tally = { ...tally, failed: tally.failed + 1 }
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      if (process.env.SIMULATE_UNTIL_FAILURE) break
    }
  }
  return tally
}

/** The same in a process of its own. */
function told(from: number, stories: number): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [String(stories), String(from), allowed.join(',')], {
      env: { ...process.env, SIMULATE_PART: '1' },
    })
    let tally: Tally | null = null
    child.once('message', (message) => {
      tally = message as Tally
    })
    child.once('exit', (code) =>
      tally ? resolve(tally) : reject(new Error(`stories from ${from} ended with ${code}`)),
    )
  })
}

function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce((one, other) => ({
    counts: added(one.counts, other.counts),
    trades: added(one.trades, other.trades),
    failed: one.failed + other.failed,
  }))
}

function shares(): readonly (readonly [from: number, stories: number])[] {
  const parts = many < 2 * worthSharing ? 1 : availableParallelism()
  const each = Math.ceil(many / parts)
  return Array.from({ length: parts }, (_, at) => [first + at * each, Math.min(each, many - at * each)] as const)
}

function inWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')
}

if (process.env.SIMULATE_PART && process.send) {
  process.send(await tell(first, many))
  removeTemporary()
  process.disconnect()
} else {
  const started = performance.now()
  const [alone, ...more] = shares()
  const tallies = more.length > 0 ? await Promise.all(shares().map(([from, count]) => told(from, count))) : []
  const { counts, trades, failed } = alone && more.length === 0 ? await tell(...alone) : sum(tallies)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(
    `${many} stories in ${seconds} s (${inWords(trades)}), ${failed} failed; commands by exit code: ${inWords(counts)}\n`,
  )
  removeTemporary()
  process.exitCode = failed > 0 ? 1 : 0
}
