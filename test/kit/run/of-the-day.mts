/**
 * The test files that `npm test` leaves for other days: all of them take more than a quarter of an hour of two cores.
 * `npx vitest run` runs every file.
 */
import { readdirSync } from 'node:fs'
import { env } from 'node:process'
import { hasTurn } from './whole.ts'

/** Looked at every day: the house, and the first of all tests. */
const everyDay = ['test/house/', 'test/house.test.ts', 'test/readme.test.ts', 'test/safety/first.test.ts']

/** Files without a turn today, below the root of the repository. */
export function ofOtherDays(): readonly string[] {
  if (env.npm_lifecycle_event !== 'test') return []
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => `test/${file}`)
  const others = files.filter((file) => file.endsWith('.test.ts') && !everyDay.some((each) => file.startsWith(each)))
  return others.toSorted().filter((_, at) => !hasTurn(at))
}
