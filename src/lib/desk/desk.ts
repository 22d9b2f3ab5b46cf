/** What the desk works with. Everything from outside comes in here, so that the simulator can give its own. */
import type { Clock, Random } from '../edge.ts'
import type { Transport } from '../http/transport.ts'
import type { Journal } from '../journal/journal.ts'
import type { Profile } from '../profile/profile.ts'
import type { TokenSource } from './token.ts'

export interface DeskSettings {
  /** Milliseconds for a whole command, repeats included, counted from after the last question. */
  readonly timeout: number
  readonly connectTimeout: number
  readonly answerTimeout: number
}

export const usualSettings: DeskSettings = { timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 }

/** What a desk tells while it works. */
export interface Telling {
  /** A step somebody may want to follow: requests, answers, waits. May hold secrets: it goes through the redactor. */
  readonly trace: (line: string) => void
  /** A remark for the person who waits. */
  readonly say: (line: string) => void
}

export interface Desk {
  readonly profile: Profile
  readonly transport: Transport
  readonly journal: Journal
  readonly tokens: TokenSource
  readonly clock: Clock
  readonly random: Random
  readonly settings: DeskSettings
  readonly signal: AbortSignal
  readonly tell: Telling
}

/** What it takes to talk to the service, without a journal and without a token. */
export type Line = Pick<Desk, 'profile' | 'transport' | 'clock' | 'random' | 'settings' | 'signal' | 'tell'>
