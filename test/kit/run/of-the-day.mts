/**
 * The test files that `npm test` leaves for other days: all of them take a quarter of an hour of two cores. Continuous integration
 * runs every file, and so does `npx vitest run`.
 */
import { readdirSync } from 'node:fs'
import { env } from 'node:process'

/** Days in which every file has its turn. */
const days = 6

/** Looked at every day: the house, and the first of all tests. */
const everyDay = ['test/house/', 'test/house.test.ts', 'test/readme.test.ts', 'test/safety/first.test.ts']

/** Files without a turn today, below the root of the repository. */
export function ofOtherDays(): readonly string[] {
  if (env.PAYDESK_WHOLE || env.npm_lifecycle_event !== 'test') return []
  const today = Math.floor(Date.now() / 86_400_000)
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => `test/${file}`)
  const others = files.filter((file) => file.endsWith('.test.ts') && !everyDay.some((each) => file.startsWith(each)))
  return others.toSorted().filter((_, at) => at % days !== today % days)
}
