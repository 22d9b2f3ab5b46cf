/** The tests that `npm run mutants` runs: those of the part, in this process. Programs that are started would run `dist`. */
import { env } from 'node:process'
import { configDefaults, defineConfig } from 'vitest/config'
import { isPart, parts, partVariable } from './scripts/mutants/parts.mts'

const part = env[partVariable] ?? ''
const include = (isPart(part) ? parts[part] : Object.values(parts).flat()).map((folder) => `${folder}/*.test.ts`)

export default defineConfig({
  test: {
    include,
    // Tests of how long something takes: too slow for every mutant, and a slower program is not a wrong one.
    exclude: [...configDefaults.exclude, 'test/lib/redact/large.test.ts'],
    // Every mutant gets a fresh worker all the same.
    isolate: false,
    // The same inputs for every mutant.
    env: { PAYDESK_TEST_SEED: '1' },
    setupFiles: 'test/kit/run/setup.ts',
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
