/** Parts of the desk: a line to the service, a token for it, and the journal. Everything from outside comes in here. */

import type { Members } from '../contract/core/members.ts'
import type { Operation, ReadOperation } from '../contract/operation.ts'
import type { Clock, Random } from '../edge.ts'
import type { Naming } from '../hint.ts'
import type { Transmission, Transport } from '../http/client.ts'
import type { HttpRequest } from '../http/message.ts'
import type { Journal } from '../journal/journal.ts'
import type { Profile } from '../profile/profile.ts'

export interface LineSettings {
  /** Milliseconds for a whole command, repeats included, counted from after the last question. */
  readonly timeout: number
  readonly connectTimeout: number
  readonly answerTimeout: number
}

export const usualSettings: LineSettings = { timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 }

/** The subject of a remark: the caller's own key and the id of the thing, as far as they are known. */
export interface Reference {
  readonly key: string | null
  readonly id: string | null
}

/** A rest before a thing is looked at again; `status`: its last one, null where none was read. */
export interface Rest extends Reference {
  readonly status: string | null
}

/** One request and what came of it, as it was on the wire; it holds secrets. */
export interface WireExchange {
  readonly operation: Operation
  readonly request: Members
  readonly baseUrl: string
  readonly http: HttpRequest
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly transmission: Transmission
  /** The content of a sealed answer; undefined where it was not sealed, or did not open. */
  readonly opened?: unknown
}

/** A place among the writes that leave side by side. The time of a write stands still while it waits there. */
export interface PlaceInLine {
  /** Does a piece of work, a request and its answer, when that may leave. `isCalledOff`: nothing of it will leave, so it need not wait. */
  within<Result>(work: () => Promise<Result>, isCalledOff: () => boolean): Promise<Result>
  /** Milliseconds that were waited so far; a wait that goes on is among them. */
  readonly waited: number
  /** Called when it may have been executed, and is to be sent once more; `isUnanswered`: its last attempt has no definite answer. */
  sentAgain(isUnanswered: boolean): void
}

/** The needs of a conversation with the service: the profile, the transport, the time it may take. */
export interface Line {
  readonly profile: Profile
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly settings: LineSettings
  readonly signal: AbortSignal
  /** Absent where every request may leave at once. */
  readonly place?: PlaceInLine
  /** The names that a line to paste must have to ask as this profile. */
  readonly naming: Naming
  /** Takes down every exchange; absent where none is wanted. */
  readonly record?: (exchange: WireExchange) => void
  readonly tell: {
    /** A step for `--trace`: requests, answers, waits. Made where it is shown; may hold secrets: it goes through the redactor. */
    readonly trace: (line: () => string) => void
    /** A remark for a person who waits. */
    readonly say: (line: string, about?: Reference) => void
    /** The start of a rest; gives back what is called at its end. */
    readonly rest: (rest: Rest) => () => void
    /** A secret that came up, and must be seen nowhere from now on. */
    readonly hide: (secret: string) => void
    /** A value without the secrets that came up so far. */
    readonly redact: <Value>(value: Value) => Value
  }
}

/** Access tokens of area A. Throws a Failure: credentials (4), or unsent (11) if the sign-in found no answer. */
export interface Tokens {
  /** A token that is good for now. */
  get(deadline: number): Promise<string>
  /** A fresh token after the service did not accept `rejected`; another caller's fresh one is taken over. */
  renew(rejected: string, deadline: number): Promise<string>
  /** A token of a new sign-in, whatever is kept. */
  fresh(deadline: number): Promise<string>
}

export interface Desk extends Line {
  /** Called in the place of the first question of a read, which it ends by throwing; absent where it is asked. */
  readonly instead?: (operation: ReadOperation, request: Members) => void
  readonly journal: Journal
  readonly tokens: Tokens
  /** Fires when nothing new is to leave any more; what is on its way, or may have been executed, ends by itself. */
  readonly ending?: AbortSignal
}
