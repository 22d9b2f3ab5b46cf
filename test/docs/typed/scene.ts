/** Examples of help in the scenes in which they can be typed as they stand. */
import type { Stage } from './stage.ts'

/** Words of an example, and those that stand for them where only a run can tell them, such as a journal id. */
export type Instead = Readonly<Record<string, string>>

export interface Play {
  readonly instead?: Instead
  /** Its end; 0 where it is not told. */
  readonly code?: number
  /** Brings about what the line needs beside its scene; its words come before those of the scene. */
  readonly before?: (stage: Stage) => Promise<Instead | undefined>
  /** The exit code of a command that stays until it is asked to end. */
  readonly stays?: number
}

export interface Scene {
  readonly name: string
  /** True for the commands whose examples it plays, by id such as `payout:get`. */
  readonly of: (id: string) => boolean
  /** Sets it up; its words hold for all lines. */
  readonly set?: (stage: Stage) => Promise<Instead>
  /** Lines that need more than the scene, or end otherwise. */
  readonly lines?: Readonly<Record<string, Play>>
}

export const inTopics =
  (...topics: readonly string[]) =>
  (id: string) =>
    topics.includes(id.split(':')[0] ?? '')
