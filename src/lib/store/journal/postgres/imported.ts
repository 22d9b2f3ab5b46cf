/** The note that a person's journal was brought into the store of a team. */
import { sql } from 'kysely'
import type { JournalReader, JournalWriter } from '../schema.ts'

/** The name of a journal for ever: its first link. Null of an empty one. */
export async function nameOfJournal(db: JournalReader): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`select hash from links order by number limit 1`.execute(db)
  return rows[0]?.hash ?? null
}

/** False where it was brought before. `head`: how far it went. `now`: ISO text. */
export async function noteImport(db: JournalWriter, journal: string, head: string, now: string): Promise<boolean> {
  const { rows } = await sql<{ journal: string }>`
    insert into imports (journal, head, at) values (${journal}, ${head}, ${now})
    on conflict do nothing returning journal`.execute(db)
  return rows.length > 0
}
