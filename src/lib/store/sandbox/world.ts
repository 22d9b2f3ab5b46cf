/**
 * The sandbox's queries of the world itself. A balance is never stored: it is the opening balance less the debits plus the
 * returns, so that it cannot drift from what happened.
 */
import { CompiledQuery, sql } from 'kysely'
import { addRows, changeRows, findRow, type NewRow } from './rows.ts'
import { type Row, type SandboxReader, type SandboxWriter, sandboxTables } from './schema.ts'

export interface WorldRows {
  readonly world: NewRow<'world'>
  readonly clients: readonly NewRow<'clients'>[]
}

/** Puts a new world in the place of whatever there was. */
export async function replaceWorld(db: SandboxWriter, { world, clients }: WorldRows): Promise<void> {
  for (const table of sandboxTables) await db.deleteFrom(table).execute()
  await addRows(db, 'world', [world])
  await addRows(db, 'clients', clients)
}

interface WorldSecrets {
  readonly worldId: string
  /** By client id. */
  readonly secrets: ReadonlyMap<string, string>
}

export async function readSecrets(db: SandboxReader): Promise<WorldSecrets> {
  const rows = await db.selectFrom(['clients', 'world']).select(['client_id', 'secret', 'world_id']).execute()
  return {
    worldId: rows[0]?.world_id ?? '',
    secrets: new Map(rows.map(({ client_id, secret }) => [client_id, secret])),
  }
}

/** Saves a token, and lets go of those that have ended. */
export async function saveToken(db: SandboxWriter, token: NewRow<'tokens'>, now: number): Promise<void> {
  await db.deleteFrom('tokens').where('expires', '<=', now).execute()
  await addRows(db, 'tokens', [token])
}

/** The id of the client that has this token; null for one that has ended, or never was. */
export async function clientOfToken(db: SandboxReader, hash: string, now: number): Promise<string | null> {
  const query = db.selectFrom('tokens').select('client_id').where('hash', '=', hash).where('expires', '>', now)
  return (await query.executeTakeFirst())?.client_id ?? null
}

/** The sum that left an account and did not come back. */
export async function sumPaidFrom(db: SandboxReader, iban: string): Promise<number> {
  const row = await db
    .selectFrom('postings')
    .select(sql<number>`coalesce(sum(case kind when 'debit' then units else -units end), 0)`.as('units'))
    .where('iban', '=', iban)
    .executeTakeFirst()
  return row?.units ?? 0
}

/** The number of the next payout; every number is given once. */
export async function nextTransactionId(db: SandboxWriter): Promise<string> {
  const next = sql<string>`cast(cast(next_transaction_id as integer) + 1 as text)`
  const { id } = await db
    .updateTable('world')
    .set({ next_transaction_id: next })
    .returning(sql<string>`cast(cast(next_transaction_id as integer) - 1 as text)`.as('id'))
    .executeTakeFirstOrThrow()
  return id
}

/** True if a number was given, to a payout or an order. */
export async function hasTransactions(db: SandboxReader): Promise<boolean> {
  const order = db.selectFrom('orders').select('transaction_id').where('transaction_id', 'is not', null).limit(1)
  return (await findRow(db, 'payouts')) !== null || (await order.executeTakeFirst()) !== undefined
}

/** Milliseconds that the sandbox's clock is ahead. */
export async function clockOffset(db: SandboxReader): Promise<number> {
  return (await findRow(db, 'world'))?.clock_offset ?? 0
}

/** Changes the only row of the world. */
export async function changeWorld(db: SandboxWriter, change: Partial<Row<'world'>>): Promise<void> {
  if (Object.keys(change).length > 0) await changeRows(db, 'world', {}, change)
}

/** Settings that decide what is accepted, and a name. */
export type SettingsRow = Pick<Row<'world'>, 'strict' | 'providers' | 'refunded_by'>

interface WorldStateRow extends SettingsRow {
  readonly world_id: string
  readonly clock_offset: number
  /** True if any fault waits. */
  readonly faults: 0 | 1
}

const worldState: CompiledQuery<WorldStateRow> = CompiledQuery.raw(
  'select world_id, clock_offset, exists (select 1 from faults) as faults, strict, providers, refunded_by from world',
)

export async function readWorldState(db: SandboxReader): Promise<WorldStateRow> {
  const { rows } = await db.executeQuery(worldState)
  return rows[0] ?? { world_id: '', clock_offset: 0, faults: 0, strict: 0, providers: '{}', refunded_by: '' }
}

export async function findKeyPairs(db: SandboxReader, owners: readonly string[]): Promise<Row<'key_pairs'>[]> {
  return await db.selectFrom('key_pairs').selectAll().where('owner', 'in', owners).execute()
}

/** The sandbox's RSA keys. The first pair that is written counts; a later one is thrown away. */
export async function addKeyPairs(db: SandboxWriter, pairs: readonly NewRow<'key_pairs'>[]): Promise<void> {
  await db
    .insertInto('key_pairs')
    .values(pairs)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const tables = ['payouts', 'orders', 'refunds', 'subscriptions', 'charges']
const anyDue = `${tables.map((table) => `select 1 from ${table} where due <= ?1`).join(' union all ')} limit 1`

/** True if the clock has anything to do. It is asked before every look: one statement over the indexes of due times. */
export async function isAnythingDue(db: SandboxReader, now: number): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(anyDue, [now]))
  return rows.length > 0
}
