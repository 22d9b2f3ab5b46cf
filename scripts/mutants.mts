/**
 * Mutation testing with Stryker: `npm run mutants [part…]`. A part is a folder below `src/lib`, or a folder or file inside one:
 * `redact`, `journal/approvals`, `desk/draft.ts`. Without a part: all of `parts`, one after the other.
 * What did not change since the last run is not tried again; the reports lie in `node_modules/.cache/mutants`.
 */
import { existsSync } from 'node:fs'
import { env } from 'node:process'
import { Stryker } from '@stryker-mutator/core'
import { makePool } from '../test/kit/key-pairs.ts'
import { makeRunDirectory } from '../test/kit/run/temporary.ts'
import { isPart, parts, partVariable } from './mutants/parts.mts'

async function tryPart(path: string): Promise<void> {
  const [part = ''] = path.split('/')
  const place = `src/lib/${path}`
  if (!isPart(part) || !existsSync(place)) {
    throw new Error(`${path} is no part: name ${Object.keys(parts).join(', ')}, or a folder or file in one of them`)
  }
  // The processes of Stryker inherit it: vitest.mutants.config.mts chooses the tests by it.
  env[partVariable] = part
  const reports = 'node_modules/.cache/mutants'
  await new Stryker({
    mutate: [place.endsWith('.ts') ? place : `${place}/**/*.ts`],
    incrementalFile: `${reports}/${part}.json`,
    htmlReporter: { fileName: `${reports}/${path}.html` },
  }).runMutationTest()
}

const removeRunDirectory = makeRunDirectory()
process.once('exit', removeRunDirectory)
await makePool()
const named = process.argv.slice(2)
for (const path of named.length > 0 ? named : Object.keys(parts)) await tryPart(path)
