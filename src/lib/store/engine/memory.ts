/** The same engine and schema without a file: the simulator's storage. */
import { DatabaseSync } from '@photostructure/sqlite'
import { Kysely } from 'kysely'
import { notingChanges } from '../chain/chained.ts'
import { type ChainHead, linkNoted } from '../chain/link.ts'
import { ofOneMoment } from './one-moment.ts'
import { sqliteDialect } from './sqlite/dialect.ts'
import type { Schema, Store } from './store.ts'

export async function memoryStore<Tables>(schema: Schema): Promise<Store<Tables>> {
  const database = new DatabaseSync(':memory:')
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database, 0) })
  await db.transaction().execute(async (transaction) => {
    for (const step of schema.migrations) await step(transaction)
  })
  if (schema.chained) database.exec(notingChanges(schema.chained))
  let head: ChainHead | null = null
  return {
    get head() {
      return head
    },
    read: (work) => ofOneMoment(db).execute(work),
    ask: (statement) => statement(db),
    lend: (work) => work(db),
    async write(work) {
      const { result, link } = await db.transaction().execute(async (transaction) => {
        const done = await work(transaction)
        return { result: done, link: schema.chained ? await linkNoted(transaction) : null }
      })
      head = link ?? head
      return result
    },
    outdated: null,
    close: () => db.destroy(),
  }
}
