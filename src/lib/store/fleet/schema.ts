/** The tables of a fleet, in the store of its team. Times are ISO text, UTC, of the database's clock. */
import type { PlanTables } from '../batch/schema.ts'
import type { JournalTables } from '../journal/schema.ts'

/** A plan that was handed to the workers of its client. */
export interface HandedRow {
  readonly plan_id: string
  /** The queue of its client: only who has its profile can take from it. */
  readonly queue: string
  readonly handed_at: string
  /** The reason for which no worker takes more of it, in words; null while they do. */
  readonly stopped: string | null
  /** The kind of the failure that stopped it, as the end of a run tells it; null where that was none. */
  readonly stopped_kind: string | null
  /** The moment from which on nothing of it was left to send. */
  readonly ended_at: string | null
  /** The last look for rows that nobody has in work. */
  readonly swept_at: string | null
  /** Rows a second that the whole fleet sends at most; null for as many as there are. */
  readonly rate: number | null
  /** 1 where a person has looked at payouts like its rows, and means the rows all the same. */
  readonly allow_duplicates: number
  /** The turn of the next row, in milliseconds since 1970; null without a rate, and before the first. */
  readonly next_turn: number | null
}

export interface WorkerRow {
  readonly id: string
  readonly queue: string
  readonly profile: string
  readonly started_at: string
  readonly seen_at: string
  /** JSON list of the chunks in work: "b-3f9a1c2b7d10:4". */
  readonly chunks: string
  /** Rows since it was started. */
  readonly accepted: number
  readonly failed: number
}

export interface FleetTables extends PlanTables, Pick<JournalTables, 'intents'> {
  handed: HandedRow
  workers: WorkerRow
}
