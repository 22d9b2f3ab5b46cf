/**
 * The journal's and the sandbox's tables in SQLite without a file: for one process, and always in the same order, as
 * the simulator needs it.
 */
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Dialect, Kysely, SqliteDialect, type SqliteStatement } from 'kysely'
import { type ChainHead, createLinks, linkNoted, notingChanges } from '../../../src/lib/store/chain/chain.ts'
import { ofOneMoment, type Schema, type Store, storable } from '../../../src/lib/store/engine/store.ts'

type Value = null | number | bigint | string | Uint8Array

function preparedIn(database: DatabaseSyncInstance, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  const storables = (values: readonly unknown[]) => values.map(storable) as Value[]
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...storables(values)).map((row) => ({ ...(row as object) })),
    run: (values) => {
      const { changes, lastInsertRowid } = statement.run(...storables(values))
      return { changes: BigInt(changes), lastInsertRowid: BigInt(lastInsertRowid) }
    },
    iterate: () => {
      throw new Error('streaming is not offered')
    },
  }
}

/** Kysely's own dialect: in memory no other program has to be waited for. Each text is prepared once. */
export function memoryDialect(database: DatabaseSyncInstance): Dialect {
  const kept = new Map<string, SqliteStatement>()
  const prepare = (sql: string) => {
    const statement = kept.get(sql) ?? preparedIn(database, sql)
    // A change of the schema changes columns; a pragma may give other ones each time.
    if (/^\s*(select|insert|update|delete|begin|commit|rollback)\b/i.test(sql)) kept.set(sql, statement)
    else kept.clear()
    return statement
  }
  return new SqliteDialect({ database: { prepare, close: () => database.close() } })
}

export async function memoryStore<Tables>(schema: Schema): Promise<Store<Tables>> {
  const database = new DatabaseSync(':memory:')
  const db = new Kysely<Tables>({ dialect: memoryDialect(database) })
  for (const statement of schema.tables) database.exec(statement)
  if (schema.chained) database.exec(`${createLinks}; ${notingChanges(schema.chained)}`)
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
