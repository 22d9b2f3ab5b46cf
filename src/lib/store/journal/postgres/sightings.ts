/** The moment at which a machine first asked about an attempt, by the time since it started. */
import { sql } from 'kysely'
import type { Steady } from '../../../edge.ts'
import type { JournalWriter } from '../schema.ts'

/** An attempt, by the id of its intent in the journal. */
export interface Sighted {
  readonly journalId: string
  readonly number: number
}

/** Milliseconds from the start of the machine to its first question; this one is noted where it is the first. */
export async function firstSighting(
  db: JournalWriter,
  { journalId, number }: Sighted,
  { boot, milliseconds }: Steady,
): Promise<number> {
  await sql`insert into sightings (journal_id, number, boot, milliseconds)
    values (${journalId}, ${number}, ${boot}, ${milliseconds}) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ milliseconds: number }>`select milliseconds from sightings
    where journal_id = ${journalId} and number = ${number} and boot = ${boot}`.execute(db)
  return rows[0]?.milliseconds ?? milliseconds
}
