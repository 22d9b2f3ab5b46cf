/** A journal changed by another program, as somebody with a database tool would do it. */
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

export const journalFile = (home: string) => join(home, 'journal', 'journal.db')

/** Runs statements on the journal of a home; nothing of paydesk sees them. */
export function tamper(home: string, statements: string): void {
  const database = new DatabaseSync(journalFile(home))
  try {
    database.exec(`pragma foreign_keys = off; ${statements}`)
  } finally {
    database.close()
  }
}

/** One value of the journal. */
export function valueIn(home: string, query: string): unknown {
  const database = new DatabaseSync(journalFile(home))
  try {
    return Object.values(database.prepare(query).get() ?? {})[0]
  } finally {
    database.close()
  }
}
