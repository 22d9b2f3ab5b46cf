/**
 * The seventh step of the journal's history: a hash chain over its rows. Rows of earlier builds get a salt, and the first links
 * seal them as they stand. One that was changed outside paydesk before keeps its digest, which goes on telling so.
 */
import { CompiledQuery } from 'kysely'
import type { Members } from '../../../contract/core/members.ts'
import { addLink, type ChainHead } from '../../chain/link.ts'
import type { MigrationContext } from '../../engine/store.ts'
import { rowDigest } from '../seal.ts'

/** The tables, and what the chain calls a row of them. */
const names = { intents: `'intents:' || id`, attempts: `'attempts:' || intent_id || '/' || number` }

/** Rows that are held in memory at once, and that one link seals. */
const atOnce = 500

export async function chain(db: MigrationContext): Promise<void> {
  for (const table of Object.keys(names)) await db.schema.alterTable(table).addColumn('salt', 'text').execute()
  await createLinks(db)
  await run(db, 'update intents set salt = lower(hex(randomblob(10)))')
  await run(db, 'update attempts set salt = (select salt from intents where id = intent_id)')
  let head: ChainHead | null = null
  for (const [table, name] of Object.entries(names)) head = await sealAll(db, head, table, name)
}

interface EarlierRow extends Members {
  readonly chain_rowid: number
  readonly chain_name: string
  readonly digest: string
  readonly salt: string
}

/** Adds links to a chain for all rows of a table. Returns its head. */
async function sealAll(db: MigrationContext, before: ChainHead | null, table: string, name: string) {
  const next = `select rowid as chain_rowid, ${name} as chain_name, * from ${table} where rowid > ? order by rowid limit ${atOnce}`
  let head = before
  for (let last = 0; ; ) {
    const rows = (await run<EarlierRow>(db, next, last)).rows
    const end = rows.at(-1)
    if (!end) return head
    last = end.chain_rowid
    const changes = await Promise.all(rows.map((row) => salted(db, table, row)))
    head = await addLink(db, head, JSON.stringify(Object.fromEntries(changes)), 1)
  }
}

/** Gives a row its digest with the salt in it. Returns its name and that digest. */
async function salted(db: MigrationContext, table: string, row: EarlierRow): Promise<readonly [string, string]> {
  const { chain_rowid: rowid, chain_name: name, ...values } = row
  if (values.digest !== rowDigest({ ...values, salt: null })) return [name, values.digest]
  const digest = rowDigest(values)
  await run(db, `update ${table} set digest = ? where rowid = ?`, digest, rowid)
  return [name, digest]
}

function run<Row>(db: MigrationContext, text: string, ...values: readonly unknown[]) {
  return db.getExecutor().executeQuery<Row>(CompiledQuery.raw(text, [...values]))
}

function createLinks(db: MigrationContext): Promise<void> {
  return db.schema
    .createTable('links')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('seals', 'integer', (column) => column.notNull())
    .addColumn('changes', 'text', (column) => column.notNull())
    .execute()
}
