/**
 * The sandbox's queries. A balance is never stored: it is the opening balance less the debits plus the returns, so that it
 * cannot drift from what happened.
 */
import { CompiledQuery, sql } from 'kysely'
import {
  type AccountRow,
  type ClientRow,
  type KeyPairRow,
  type PayoutRow,
  type PostingRow,
  type ReceiverRow,
  type SandboxReader,
  type SandboxWriter,
  sandboxTables,
  type TokenRow,
  type UserRow,
  type WorldRow,
} from './schema.ts'

export interface WorldRows {
  readonly world: WorldRow
  readonly clients: readonly ClientRow[]
  readonly accounts: readonly AccountRow[]
  readonly receivers: readonly ReceiverRow[]
}

export async function readWorld(db: SandboxReader): Promise<WorldRow | null> {
  return (await db.selectFrom('world').selectAll().executeTakeFirst()) ?? null
}

/** Puts a new world in the place of whatever there was. */
export async function replaceWorld(db: SandboxWriter, rows: WorldRows): Promise<void> {
  for (const table of sandboxTables) await db.deleteFrom(table).execute()
  await db.insertInto('world').values(rows.world).execute()
  await addClients(db, rows)
  await db.insertInto('receivers').values(rows.receivers).execute()
}

/** Clients, at least one, with their accounts. */
export async function addClients(
  db: SandboxWriter,
  { clients, accounts }: Pick<WorldRows, 'clients' | 'accounts'>,
): Promise<void> {
  await db.insertInto('clients').values(clients).execute()
  await db.insertInto('accounts').values(accounts).execute()
}

export async function listClients(db: SandboxReader): Promise<ClientRow[]> {
  return await db.selectFrom('clients').selectAll().orderBy('position').execute()
}

/** The same, each with the world that it belongs to. */
export async function listClientsOfWorld(db: SandboxReader): Promise<(ClientRow & Pick<WorldRow, 'world_id'>)[]> {
  return await db
    .selectFrom(['clients', 'world'])
    .selectAll('clients')
    .select('world.world_id')
    .orderBy('clients.position')
    .execute()
}

export async function findClient(db: SandboxReader, clientId: string): Promise<ClientRow | null> {
  return (await db.selectFrom('clients').selectAll().where('client_id', '=', clientId).executeTakeFirst()) ?? null
}

export async function saveToken(db: SandboxWriter, token: TokenRow, now: number): Promise<void> {
  await db.deleteFrom('tokens').where('expires', '<=', now).execute()
  await db.insertInto('tokens').values(token).execute()
}

export async function clientOfToken(db: SandboxReader, hash: string, now: number): Promise<ClientRow | null> {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('clients', 'clients.client_id', 'tokens.client_id')
    .selectAll('clients')
    .where('hash', '=', hash)
    .where('expires', '>', now)
    .executeTakeFirst()
  return row ?? null
}

export interface AccountBalance extends AccountRow {
  readonly balance: number
}

/** With their balances: those of one client, or of all. */
export async function listAccounts(db: SandboxReader, clientId?: string): Promise<AccountBalance[]> {
  const moved = sql<number>`(select coalesce(sum(case kind when 'debit' then -units else units end), 0)
    from postings where postings.iban = accounts.iban)`
  const all = db
    .selectFrom('accounts')
    .selectAll()
    .select(sql<number>`opening + ${moved}`.as('balance'))
    .orderBy('position')
  return await (clientId === undefined ? all : all.where('client_id', '=', clientId)).execute()
}

export async function listReceivers(db: SandboxReader): Promise<ReceiverRow[]> {
  return await db.selectFrom('receivers').selectAll().orderBy('receiver_type').execute()
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

/** The number that the next transaction gets. */
export async function upcomingTransactionId(db: SandboxReader): Promise<string> {
  return (await db.selectFrom('world').select('next_transaction_id').executeTakeFirstOrThrow()).next_transaction_id
}

export async function setNextTransactionId(db: SandboxWriter, id: string): Promise<void> {
  await db.updateTable('world').set({ next_transaction_id: id }).execute()
}

/** True if a number was given, to a payout or an order. */
export async function hasTransactions(db: SandboxReader): Promise<boolean> {
  const payout = await db.selectFrom('payouts').select('transaction_id').limit(1).executeTakeFirst()
  const order = db.selectFrom('orders').select('transaction_id').where('transaction_id', 'is not', null).limit(1)
  return payout !== undefined || (await order.executeTakeFirst()) !== undefined
}

export async function hasUniqueId(db: SandboxReader, clientId: string, uniqueId: string): Promise<boolean> {
  const query = db.selectFrom('payouts').select('transaction_id').where('client_id', '=', clientId)
  return (await query.where('unique_id', '=', uniqueId).executeTakeFirst()) !== undefined
}

export async function findPayout(
  db: SandboxReader,
  clientId: string,
  transactionId: string,
): Promise<PayoutRow | null> {
  const query = db.selectFrom('payouts').selectAll().where('client_id', '=', clientId)
  return (await query.where('transaction_id', '=', transactionId).executeTakeFirst()) ?? null
}

/** The payout that a client has named so. */
export async function payoutWithUniqueId(
  db: SandboxReader,
  clientId: string,
  uniqueId: string,
): Promise<PayoutRow | null> {
  const query = db.selectFrom('payouts').selectAll().where('client_id', '=', clientId)
  return (await query.where('unique_id', '=', uniqueId).executeTakeFirst()) ?? null
}

export async function addPayout(db: SandboxWriter, payout: PayoutRow): Promise<void> {
  await db.insertInto('payouts').values(payout).execute()
}

export async function addPosting(db: SandboxWriter, posting: PostingRow): Promise<void> {
  await db.insertInto('postings').values(posting).execute()
}

/** By number, not by text: identifiers grow longer. */
const numbered = sql`cast(transaction_id as integer)`

export async function duePayouts(db: SandboxReader, now: number): Promise<PayoutRow[]> {
  return await db.selectFrom('payouts').selectAll().where('due', '<=', now).orderBy(numbered).execute()
}

export async function movePayout(
  db: SandboxWriter,
  transactionId: string,
  status: string,
  due: number | null,
): Promise<void> {
  await db.updateTable('payouts').set({ status, due }).where('transaction_id', '=', transactionId).execute()
}

export interface ExecutedPayout extends PayoutRow {
  /** The number of debits of its amount. */
  readonly executions: number
}

export async function listPayouts(db: SandboxReader): Promise<ExecutedPayout[]> {
  const executions = sql<number>`(select count(*) from postings
    where postings.transaction_id = payouts.transaction_id and kind = 'debit')`
  return await db.selectFrom('payouts').selectAll().select(executions.as('executions')).orderBy(numbered).execute()
}

/** Milliseconds that the sandbox's clock is ahead. */
export async function clockOffset(db: SandboxReader): Promise<number> {
  return (await db.selectFrom('world').select('clock_offset').executeTakeFirst())?.clock_offset ?? 0
}

export async function setClockOffset(db: SandboxWriter, milliseconds: number): Promise<void> {
  await db.updateTable('world').set({ clock_offset: milliseconds }).execute()
}

/** Settings that decide what is accepted, and a name. */
export type SettingsRow = Pick<WorldRow, 'strict' | 'providers' | 'refunded_by'>

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

export async function changeSettings(db: SandboxWriter, changed: Partial<SettingsRow>): Promise<void> {
  if (Object.keys(changed).length > 0) await db.updateTable('world').set(changed).execute()
}

export async function findKeyPairs(db: SandboxReader, owners: readonly string[]): Promise<KeyPairRow[]> {
  return await db.selectFrom('key_pairs').selectAll().where('owner', 'in', owners).execute()
}

/** All that have been made in this world. */
export async function listKeyPairs(db: SandboxReader): Promise<KeyPairRow[]> {
  return await db.selectFrom('key_pairs').selectAll().orderBy('owner').execute()
}

/** The sandbox's RSA keys. The first pair that is written counts; a later one is thrown away. */
export async function addKeyPairs(db: SandboxWriter, pairs: readonly KeyPairRow[]): Promise<void> {
  await db
    .insertInto('key_pairs')
    .values(pairs)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function userExists(db: SandboxReader, userId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return row !== undefined
}

export async function addUser(db: SandboxWriter, user: UserRow): Promise<void> {
  await db.insertInto('users').values(user).execute()
}

export async function listUsers(db: SandboxReader): Promise<UserRow[]> {
  return await db.selectFrom('users').selectAll().orderBy('created').orderBy('user_id').execute()
}

const tables = ['payouts', 'orders', 'refunds', 'subscriptions', 'charges']
const anyDue = `${tables.map((table) => `select 1 from ${table} where due <= ?1`).join(' union all ')} limit 1`

/** True if the clock has anything to do. It is asked before every look: one statement over the indexes of due times. */
export async function isAnythingDue(db: SandboxReader, now: number): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(anyDue, [now]))
  return rows.length > 0
}
