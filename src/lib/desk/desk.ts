/** What the desk works with: a line to the service, a token for it, and the journal. */
import type { Journal } from '../journal/journal.ts'
import type { Line } from './line/line.ts'
import type { TokenSource } from './line/token.ts'

export interface Desk extends Line {
  readonly journal: Journal
  readonly tokens: TokenSource
}
