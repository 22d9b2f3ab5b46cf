/**
 * Mutation testing with Stryker: `npm run mutants [part…]`. A part is a folder or file below `src/lib`, or one inside it:
 * `redact`, `desk/evidence.ts`, `desk/new-intent.ts`. Without a part: all of `parts`, one after the other.
 * What did not change since the last run is not tried again; the reports lie in `node_modules/.cache/mutants`. `--force` tries
 * all of it: Stryker does not see that a new test covers a constant of a module, nor that a helper of the tests has changed.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { makePool } from '../test/kit/key-pairs.ts'
import { isPart, parts, partVariable } from './mutants/parts.mts'

const reports = 'node_modules/.cache/mutants'

async function tryPart(path: string, force: boolean): Promise<void> {
  const [part = ''] = path.split('/')
  const named = `src/lib/${path}`
  const place = existsSync(named) ? named : `${named}.ts`
  if (!isPart(part) || !existsSync(place)) {
    throw new Error(`${path} is no part: name ${Object.keys(parts).join(', ')}, or a folder or file in one of them`)
  }
  // The processes of Stryker inherit it: vitest.mutants.config.mts chooses the tests by it.
  env[partVariable] = part
  await new Stryker({
    force,
    mutate: [place.endsWith('.ts') ? place : `${place}/**/*.ts`],
    incrementalFile: `${reports}/${part}.json`,
    htmlReporter: { fileName: `${reports}/${path}.html` },
  }).runMutationTest()
}

// Tests that a mutant stops before their end leave directories behind: all of them lie in this one.
const temporary = mkdtempSync(join(tmpdir(), 'paydesk-run-'))
for (const name of ['TMPDIR', 'TEMP', 'TMP']) env[name] = temporary
process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
await makePool()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean', default: false } },
})
for (const path of positionals.length > 0 ? positionals : Object.keys(parts)) await tryPart(path, values.force)
