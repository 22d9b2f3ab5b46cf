/**
 * The store of a team, in Postgres: the journal, the plans of all its machines, and the work of its fleet. Times are ISO text, UTC,
 * of the database's clock.
 */
import { columns } from '../engine/store.ts'
import { chained, createJournal, type JournalTables } from '../journal/schema.ts'
import { createPlans, type PlanTables } from '../plans.ts'
import { openTeamStore } from '../postgres/open.ts'
import type { TeamSchema, TeamSettings, TeamStore } from '../postgres/store.ts'
import { commitFunction, commitRequest, createCommitFunction, type JournalCommit } from './commit.ts'

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

/** Texts are compared byte by byte, as in SQLite, whatever the language of the database. */
const text = 'text collate "C"'

/** Its version is one more than the number of its migrations, as that of a person's journal (../journal/schema.ts). */
export const teamSchema: TeamSchema = {
  title: 'the journal',
  version: 1,
  tables: [
    ...createJournal(text),
    ...createPlans(text),
    // The journals of persons that were brought along, each by its first link: none is brought twice.
    'create table imports (journal text primary key, head text not null, at text not null)',
    // The first question of each machine about an attempt without an answer, by the time since that machine started.
    `create table sightings (journal_id ${text} not null, number integer not null, boot ${text} not null,
      milliseconds float8 not null, primary key (journal_id, number, boot))`,
    `create table handed (
      plan_id ${text} primary key,
      ${columns(`${text} not null`, 'queue', 'handed_at')},
      ${columns(text, 'stopped', 'stopped_kind', 'ended_at', 'swept_at')},
      ${columns('float8', 'rate', 'next_turn')},
      allow_duplicates integer not null
    )`,
    `create table workers (
      id ${text} primary key,
      ${columns(`${text} not null`, 'queue', 'profile', 'started_at', 'seen_at', 'chunks')},
      ${columns('integer not null', 'accepted', 'failed')}
    )`,
    createCommitFunction(chained),
  ],
  migrations: [],
  chained,
  commitCall: { name: commitFunction, request: (commit) => commitRequest(commit as JournalCommit) },
}

/** Opens it with the tables that its user asks. Throws a Failure as `openTeamStore`. */
export function openTeam<Tables>(address: string, settings: TeamSettings): Promise<TeamStore<Tables>> {
  return openTeamStore<Tables>(address, teamSchema, settings)
}
