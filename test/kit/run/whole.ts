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

/** The number of the day: cases that are too many for one day are shared out among several. */
export const today = Math.floor(Date.now() / 86_400_000)

/** One in so many, others every day; all of them in a whole run, or one in `daysInWhole`. */
export function turn<Item>(all: readonly Item[], days: number, shift = 0, daysInWhole = 1): readonly Item[] {
  const share = many(daysInWhole, days)
  return all.filter((_, at) => at % share === (today + shift) % share)
}
