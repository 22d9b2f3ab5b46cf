/** The same engine and schema without a file: the simulator's storage. */
import { DatabaseSync } from '@photostructure/sqlite'
import { Kysely } from 'kysely'
import { sqliteDialect } from './sqlite.ts'
import type { Schema, Store } from './store.ts'

export async function memoryStore<Tables>(schema: Schema): Promise<Store<Tables>> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(new DatabaseSync(':memory:'), 0) })
  await db.transaction().execute(async (transaction) => {
    for (const step of schema.migrations) await step(transaction)
  })
  return {
    read: (work) => work(db),
    write: (work) => db.transaction().execute(work),
    close: () => db.destroy(),
  }
}
