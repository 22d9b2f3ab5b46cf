/** Mutated envelopes, as many as asked for: `npm run fuzz -- [100000] [seed]`. None may crash or open to a wrong text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fuzz } from '../test/lib/envelope/fuzz.ts'

const [many = '100000', seed = '1'] = process.argv.slice(2)
const vectors = join(import.meta.dirname, '..', 'test', 'vectors', 'envelopes', 'browser-oaep256.json')
const { privateKey } = JSON.parse(readFileSync(vectors, 'utf8')) as { privateKey: string }
const started = performance.now()
const { envelopes, opened, refused, faults } = await fuzz(privateKey, Number(seed), Number(many))

for (const fault of faults) process.stderr.write(`${fault}\n`)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
process.stdout.write(
  `${envelopes} envelopes in ${seconds} s: ${opened} opened, ${refused} refused, ${faults.length} faults\n`,
)
process.exitCode = faults.length > 0 ? 1 : 0
