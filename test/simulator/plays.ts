/**
 * Plays: everything that may befall a story besides a bad network and processes that die, each under its name, so
 * that one can be played alone: `npm run simulate -- 1000 1 asleep,clock-step`.
 */
import type { Dice } from './dice.ts'

export const plays = [
  ...['held-lock', 'asleep', 'clock-step', 'interrupted', 'turned-away', 'wrong-answers', 'respelled', 'team'],
  ...['lagging-copy'],
] as const

export type Play = (typeof plays)[number]

/** Plays with a chance of their own: a story without them is what it was before they were thought of. */
export const changing: readonly Play[] = ['team', 'lagging-copy']

/** The plays of one story. Where only one or two are asked for they are always played. */
export function playsOf(fate: Dice, other: Dice, allowed: readonly Play[]): ReadonlySet<Play> {
  const isAlways = allowed.length <= 2
  const isChanging = (play: Play) => changing.includes(play)
  return new Set([
    ...allowed.filter((play) => !isChanging(play) && fate.chance(isAlways ? 1 : 0.2)),
    ...allowed.filter((play) => isChanging(play) && other.chance(isAlways ? 1 : 0.1)),
  ])
}
