/** Runs as many seeded stories as asked for: `npm run simulate -- 100000 [first seed]`. A story that fails prints its end. */
import { simulate } from '../test/simulator/simulation.ts'

const [many = '10000', first = '1'] = process.argv.slice(2)
const started = performance.now()
const counts: Record<string, number> = {}
let failed = 0

for (let seed = Number(first); seed < Number(first) + Number(many); seed += 1) {
  try {
    const story = await simulate(seed)
    for (const [code, count] of Object.entries(story.counts)) counts[code] = (counts[code] ?? 0) + count
  } catch (error) {
    failed += 1
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}

const ends = Object.entries(counts).map(([code, count]) => `${code}: ${count}`)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
process.stdout.write(`${many} stories in ${seconds} s, ${failed} failed; commands by exit code: ${ends.join(', ')}\n`)
process.exitCode = failed > 0 ? 1 : 0
