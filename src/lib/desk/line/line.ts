/** What it takes to talk to the service: who, over what, for how long. Everything from outside comes in here. */
import type { Clock, Random } from '../../edge.ts'
import type { Transport } from '../../http/transport.ts'
import type { Profile } from '../../profile/profile.ts'

export interface LineSettings {
  /** Milliseconds for a whole command, repeats included, counted from after the last question. */
  readonly timeout: number
  readonly connectTimeout: number
  readonly answerTimeout: number
}

export const usualSettings: LineSettings = { timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 }

export interface Line {
  readonly profile: Profile
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly settings: LineSettings
  readonly signal: AbortSignal
  readonly tell: {
    /** A step somebody may want to follow: requests, answers, waits. May hold secrets: it goes through the redactor. */
    readonly trace: (line: string) => void
    /** A remark for the person who waits. */
    readonly say: (line: string) => void
    /** A secret that came up, and must be seen nowhere from now on. */
    readonly hide: (secret: string) => void
    /** A value without the secrets that came up so far. */
    readonly redact: <Value>(value: Value) => Value
  }
}
