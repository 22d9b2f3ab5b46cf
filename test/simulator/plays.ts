/**
 * Plays: everything that may befall a story besides a bad network and processes that die, each under its name, so
 * that one can be played alone: `npm run simulate -- 1000 1 asleep,clock-step`.
 */
import type { Dice } from './dice.ts'

export const plays = [
  /** Another program writes to the journal for seconds, while several start the same command. */
  'held-lock',
  /** A process is stopped for minutes or a day, and goes on where it was. */
  'asleep',
  /** The clock of a machine is set a day forwards or back, and right again. */
  'clock-step',
  /** ^C or SIGTERM, while something is on its way. */
  'interrupted',
  /** The service does it, and a proxy behind it says 401, 429, 503 or points elsewhere. */
  'turned-away',
  /** A success whose content is none: another status, another's id, nothing, half of it. */
  'wrong-answers',
  /** The address of the profile is written in another way each time. */
  'respelled',
  /** Machines of a team over one server, whose connections and commits are lost, and workers that share the rows of files. */
  'team',
  /** Reads are answered by a copy of the service that has not heard of the last writes. */
  'lagging-copy',
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
