/** The sandbox's queries of bank-wallet orders (area C). */
import { sql } from 'kysely'
import type { SandboxReader, SandboxWriter, WalletOrderRow, WalletPostingRow } from './schema.ts'

export async function findWalletOrder(
  db: SandboxReader,
  identifier: string,
  uniqueId: string,
): Promise<WalletOrderRow | null> {
  const query = db.selectFrom('wallet_orders').selectAll().where('identifier', '=', identifier)
  return (await query.where('unique_id', '=', uniqueId).executeTakeFirst()) ?? null
}

export async function addWalletOrder(db: SandboxWriter, order: WalletOrderRow): Promise<void> {
  await db.insertInto('wallet_orders').values(order).execute()
}

/** The order that has its uniqueId now. */
export async function replaceWalletOrder(db: SandboxWriter, order: WalletOrderRow): Promise<void> {
  const query = db.updateTable('wallet_orders').set(order).where('identifier', '=', order.identifier)
  await query.where('unique_id', '=', order.unique_id).execute()
}

export async function changeWalletOrder(
  db: SandboxWriter,
  { identifier, unique_id }: WalletOrderRow,
  change: Partial<Pick<WalletOrderRow, 'status' | 'finalised'>>,
): Promise<void> {
  const query = db.updateTable('wallet_orders').set(change).where('identifier', '=', identifier)
  await query.where('unique_id', '=', unique_id).execute()
}

export async function postWallet(db: SandboxWriter, posting: WalletPostingRow): Promise<void> {
  await db.insertInto('wallet_postings').values(posting).execute()
}

/** The sum that wallet orders brought a receiver from a moment on, up to another. */
export async function walletSum(db: SandboxReader, receiverId: string, from: number, before: number): Promise<number> {
  const row = await db
    .selectFrom('wallet_postings')
    .select(sql<number>`coalesce(sum(units), 0)`.as('units'))
    .where('receiver_id', '=', receiverId)
    .where('time', '>=', from)
    .where('time', '<', before)
    .executeTakeFirst()
  return row?.units ?? 0
}

/** The sum paid for one order. */
export async function walletSumOf(db: SandboxReader, { identifier, unique_id }: WalletOrderRow): Promise<number> {
  const query = db.selectFrom('wallet_postings').select('units').where('identifier', '=', identifier)
  return (await query.where('unique_id', '=', unique_id).executeTakeFirst())?.units ?? 0
}

export interface ExecutedWalletOrder extends WalletOrderRow {
  /** The number of its payments. */
  readonly executions: number
  /** The paid sum; null if none was. */
  readonly paid: number | null
}

const ofThis = sql`from wallet_postings where wallet_postings.identifier = wallet_orders.identifier
  and wallet_postings.unique_id = wallet_orders.unique_id`

export async function listWalletOrders(db: SandboxReader): Promise<ExecutedWalletOrder[]> {
  return await db
    .selectFrom('wallet_orders')
    .selectAll()
    .select(sql<number>`(select count(*) ${ofThis})`.as('executions'))
    .select(sql<number | null>`(select sum(units) ${ofThis})`.as('paid'))
    .orderBy('created')
    .orderBy('unique_id')
    .execute()
}
