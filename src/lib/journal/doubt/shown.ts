/** A status that a read has shown, held against what the row says in the transaction that notes it. */
import { isExecuted } from '../../store/journal/journal.ts'
import type { IntentRow } from '../../store/journal/schema.ts'
import { type Intent, intentOf } from '../intent.ts'
import { isNews, statusSeen } from '../payment-end.ts'
import { type State, unmoved } from '../verdict.ts'
import { asTaken } from './known-sum.ts'

/** A write about the thing that was read. */
export interface ShownWrite {
  readonly intent: Intent
  /** As of `shownIn`. */
  readonly isThere: boolean
}

/** True where a write does not know it yet. */
export function tellsMore({ intent }: ShownWrite, status: string, description: string | null): boolean {
  const isKnown = intent.disputed === null && intent.status === status && !isNews(intent, status, description)
  return !isKnown || !isExecuted(intent)
}

/**
 * The columns that change; null where it tells nothing new. `isThere`: the status shows the execution of what the row may say was not
 * executed by now: then it is a conflict.
 */
export function shownIn(
  row: IntentRow,
  status: string,
  description: string | null,
  isThere: boolean,
): Partial<IntentRow> | null {
  const seen = statusSeen(intentOf(row), row, status, description)
  if (!isThere || !unmoved.has(row.state as State) || row.sum_confirmed === 'taken') return seen
  return { ...seen, ...asTaken(row, row.state) }
}
