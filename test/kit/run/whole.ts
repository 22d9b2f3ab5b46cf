/**
 * Whether the run is to try everything: continuous integration does, with PAYDESK_WHOLE. Every day a slice is enough, so that
 * nobody waits for more than three minutes.
 */
import { env } from 'node:process'

export const isWhole = Boolean(env.PAYDESK_WHOLE)

/** All of them, or those that a day is content with. */
export function slice<Item>(all: readonly Item[], everyDay: readonly NoInfer<Item>[]): readonly Item[] {
  return isWhole ? all : everyDay
}

/** How many there are of something. */
export function many(all: number, everyDay: number): number {
  return isWhole ? all : everyDay
}

/** Which day it is: what is too much for one day is shared out among several. */
export const today = Math.floor(Date.now() / 86_400_000)

/** All of them, or one in so many, others every day. */
export function turn<Item>(all: readonly Item[], days: number, shift = 0): readonly Item[] {
  return slice(
    all,
    all.filter((_, at) => at % days === (today + shift) % days),
  )
}
