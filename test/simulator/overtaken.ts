/** Processes that were stopped between what they wrote at last and what they told. */

import { type Attempt, attemptOf, type Intent } from '../../src/lib/journal/intent.ts'
import { Journal } from '../../src/lib/journal/journal.ts'
import { isOpen } from '../../src/lib/journal/verdict.ts'
import type { Ended } from './trade.ts'
import type { World } from './world.ts'

/** The journal of one process, which remembers of each intent the attempt that the process ended last. */
export class OwnJournal extends Journal {
  /** By the ids of the service. */
  readonly ended = new Map<string, number>()

  override finish(intent: Intent, number: number, ...rest: Rest): Promise<Intent> {
    this.ended.set(intent.uniqueId, number)
    return super.finish(intent, number, ...rest)
  }
}

type Rest = Parameters<Journal['finish']> extends [Intent, number, ...infer Others] ? Others : never

/**
 * True where another process of a team has tried again what this one had given free by its last write, with the end
 * of each attempt before it: what it told was true when it was decided, and no program can look after its last look.
 */
export async function wasOvertaken(world: World, { about, wroteAt }: Ended): Promise<boolean> {
  if (!world.isPlayed('team')) return false
  for (const id of about) {
    const attempts = (await world.attempts(id)).map(attemptOf)
    if (followerOf(attempts, ({ startedAt }) => Date.parse(startedAt) <= wroteAt)) return true
  }
  return false
}

/** The time of the first attempt behind the one that its process ended last; null where there is none, or where one before it is open. */
export async function overtakenAt(world: World, uniqueId: string, ended: number | null): Promise<number | null> {
  if (ended === null) return null
  const intents = (await world.intents()).filter(({ unique_id }) => unique_id === uniqueId)
  for (const { id } of intents) {
    const attempts = (await world.attempts(id)).map(attemptOf)
    const follower = followerOf(attempts, ({ number }) => number <= ended)
    if (follower) return timeOf(follower)
  }
  return null
}

/** When an attempt began, by the time of the world, which no step of a machine's clock moves. */
function timeOf({ startedAt, startedSteady }: Attempt): number {
  const [, milliseconds] = startedSteady?.split('/') ?? []
  return milliseconds === undefined ? Date.parse(startedAt) : Number(milliseconds)
}

/** The first attempt behind the process' own ones and those before them, which all have their end. */
function followerOf(attempts: readonly Attempt[], isBefore: (attempt: Attempt) => boolean): Attempt | null {
  const before = attempts.filter(isBefore)
  if (before.length === 0 || before.some(isOpen)) return null
  return attempts.find((attempt) => !isBefore(attempt)) ?? null
}
