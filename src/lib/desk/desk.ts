/** The desk: a line to the service, tokens for it, and the journal. */
import type { Line } from '../client/exchange.ts'
import type { Tokens } from '../client/token.ts'
import type { Members } from '../contract/core/members.ts'
import type { ReadOperation } from '../contract/operation.ts'
import type { Journal } from '../journal/journal.ts'
import type { Profile } from '../profile/profile.ts'

export interface Desk extends Line {
  readonly profile: Profile
  /** Called in the place of the first question of a read, which it ends by throwing. */
  readonly instead?: (operation: ReadOperation, request: Members) => void
  readonly journal: Journal
  readonly tokens: Tokens
  /** Fires when nothing new is to leave any more; what may have been executed ends by itself. */
  readonly ending?: AbortSignal
}
