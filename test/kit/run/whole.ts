/**
 * True if the run is to try everything: continuous integration does, with PAYDESK_WHOLE. Every day a slice is enough, so that
 * a run takes no more than three minutes.
 */
import { env } from 'node:process'

export const isWhole = Boolean(env.PAYDESK_WHOLE)

/** All of them, or those that a day is content with. */
export function slice<Item>(all: readonly Item[], everyDay: readonly NoInfer<Item>[]): readonly Item[] {
  return isWhole ? all : everyDay
}

/** The number of cases in this run. */
export function many(all: number, everyDay: number): number {
  return isWhole ? all : everyDay
}

const today = Math.floor(Date.now() / 86_400_000)

/** Days in which every test file has its turn. */
const days = isWhole ? 3 : 6

/** True for a file that has its turn today; `at` is its place among all. */
export function hasTurn(at: number): boolean {
  return at % days === today % days
}

/** The number of such rounds: cases that are too many for one are shared out among several. */
export const round = Math.floor(today / days)

/** One in so many, others each round; all of them in a whole run, or one in `daysInWhole`. */
export function turn<Item>(all: readonly Item[], days: number, shift = 0, daysInWhole = 1): readonly Item[] {
  const share = many(daysInWhole, days)
  return all.filter((_, at) => at % share === (round + shift) % share)
}
