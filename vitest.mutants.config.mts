/** The tests that `npm run mutants` runs: those of the part that stay in this process. A program that is started runs `dist`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { isPart, parts, partVariable } from './scripts/mutants/parts.mts'

/** Modules that start the built program, a database, a browser or a terminal. */
const starting = /kit\/(?:process|postgres|team)\.ts|browser\/|screens\/terminal|node:child_process/

/** Tests of how long something takes: too slow for every mutant, and a slower program is not a wrong one. */
const ofTime = /work\.ts'/

function testsIn(place: string): readonly string[] {
  const files = place.endsWith('.ts')
    ? [place]
    : readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => join(place, file))
  return files.filter((file) => {
    if (!file.endsWith('.test.ts')) return false
    const text = readFileSync(file, 'utf8')
    return !starting.test(text) && !ofTime.test(text)
  })
}

const part = env[partVariable] ?? ''
const places = new Set(isPart(part) ? parts[part] : Object.values(parts).flat())

export default defineConfig({
  test: {
    include: [...places].flatMap(testsIn),
    // Every mutant gets a fresh worker all the same.
    isolate: false,
    // The same inputs for every mutant.
    env: { PAYDESK_TEST_SEED: '1' },
    setupFiles: 'test/kit/run/setup.ts',
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
})
