/**
 * The seventh step of the journal's history: a hash chain over its rows. Rows of earlier builds get a salt, and the first links
 * seal them as they stand. One that was changed outside paydesk before keeps its digest, which goes on telling so.
 */
import { CompiledQuery } from 'kysely'
import type { Members } from '../../../contract/core/members.ts'
import { sealRows } from '../../chain/seal-rows.ts'
import type { MigrationContext } from '../../engine/store.ts'
import { rowDigest } from '../seal.ts'

/** Rows that are held in memory at once. */
const atOnce = 500

export async function chain(db: MigrationContext): Promise<void> {
  for (const table of ['intents', 'attempts']) await db.schema.alterTable(table).addColumn('salt', 'text').execute()
  await db.schema
    .createTable('links')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('seals', 'integer', (column) => column.notNull())
    .addColumn('changes', 'text', (column) => column.notNull())
    .execute()
  await run(db, 'update intents set salt = lower(hex(randomblob(10)))')
  await run(db, 'update attempts set salt = (select salt from intents where id = intent_id)')
  for (const table of ['intents', 'attempts']) await digestAnew(db, table)
  await sealRows(db, { name: 'intents', key: ['id'] })
  await sealRows(db, { name: 'attempts', key: ['intent_id', 'number'] })
  const spentKey = ['environment', 'client_id', 'minute', 'service_id', 'origin', 'currency'] as const
  await sealRows(db, { name: 'spent', key: spentKey, plain: ['payouts', 'units'] })
}

interface EarlierRow extends Members {
  readonly place: number
  readonly digest: string
}

/** Gives the rows of a table their digests with the salt in them. */
async function digestAnew(db: MigrationContext, table: string): Promise<void> {
  const next = `select rowid as place, * from ${table} where rowid > ? order by rowid limit ${atOnce}`
  for (let last = 0; ; ) {
    const { rows } = await run<EarlierRow>(db, next, last)
    const end = rows.at(-1)
    if (!end) return
    last = end.place
    for (const { place, ...values } of rows) {
      if (values.digest !== rowDigest({ ...values, salt: null })) continue
      await run(db, `update ${table} set digest = ? where rowid = ?`, rowDigest(values), place)
    }
  }
}

function run<Row>(db: MigrationContext, text: string, ...values: readonly unknown[]) {
  return db.getExecutor().executeQuery<Row>(CompiledQuery.raw(text, [...values]))
}
