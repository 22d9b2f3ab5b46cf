/**
 * Whether the run is to try everything: continuous integration does, with PAYDESK_WHOLE. Every day a slice is enough, so that
 * nobody waits for more than three minutes.
 */
import { env } from 'node:process'

const whole = Boolean(env.PAYDESK_WHOLE)

/** All of them, or those that a day is content with. */
export function slice<Item>(all: readonly Item[], everyDay: readonly NoInfer<Item>[]): readonly Item[] {
  return whole ? all : everyDay
}

/** How many there are of something. */
export function many(all: number, everyDay: number): number {
  return whole ? all : everyDay
}
