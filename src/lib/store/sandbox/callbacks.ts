/** The sandbox's queries of callbacks and of the attempts to deliver them. */
import type { Insertable, Selectable } from 'kysely'
import type { CallbackAttemptRow, CallbackRow, SandboxReader, SandboxWriter, WorldRow } from './schema.ts'

export type NewSentCallback = Insertable<CallbackRow>
export type KeptCallback = Selectable<CallbackRow>

/** True if callbacks are sealed. A property of the world, so that every process that causes one agrees. */
export type CallbackForm = WorldRow['callbacks']

export async function callbackForm(db: SandboxReader): Promise<CallbackForm> {
  return (await db.selectFrom('world').select('callbacks').executeTakeFirst())?.callbacks ?? 'sealed'
}

export async function setCallbackForm(db: SandboxWriter, callbacks: CallbackForm): Promise<void> {
  await db.updateTable('world').set({ callbacks }).execute()
}

export async function addCallback(db: SandboxWriter, callback: NewSentCallback): Promise<number> {
  const query = db.insertInto('callbacks').values(callback).returning('callback_id')
  return (await query.executeTakeFirstOrThrow()).callback_id
}

export async function callbackById(db: SandboxReader, id: number): Promise<KeptCallback | null> {
  return (await db.selectFrom('callbacks').selectAll().where('callback_id', '=', id).executeTakeFirst()) ?? null
}

/** The last one of an order, of whatever kind. */
export async function lastCallback(db: SandboxReader, orderId: string): Promise<KeptCallback | null> {
  const query = db.selectFrom('callbacks').selectAll().where('order_id', '=', orderId)
  return (await query.orderBy('callback_id', 'desc').executeTakeFirst()) ?? null
}

/** The number of the newest; 0 where there is none. */
export async function newestCallback(db: SandboxReader): Promise<number> {
  const query = db.selectFrom('callbacks').select('callback_id').orderBy('callback_id', 'desc')
  return (await query.executeTakeFirst())?.callback_id ?? 0
}

export async function callbacksAfter(db: SandboxReader, id: number): Promise<KeptCallback[]> {
  return await db.selectFrom('callbacks').selectAll().where('callback_id', '>', id).orderBy('callback_id').execute()
}

/** The longest due first. */
export async function dueCallbacks(
  db: SandboxReader,
  now: number,
): Promise<readonly Pick<KeptCallback, 'callback_id' | 'order_id'>[]> {
  const query = db.selectFrom('callbacks').select(['callback_id', 'order_id']).where('due', '<=', now)
  return await query.orderBy('due').orderBy('callback_id').execute()
}

export async function moveCallback(
  db: SandboxWriter,
  id: number,
  change: Pick<CallbackRow, 'state' | 'due'>,
): Promise<void> {
  await db.updateTable('callbacks').set(change).where('callback_id', '=', id).execute()
}

export interface NamedCallback extends KeptCallback {
  /** Of its order, as JSON text. */
  readonly request: string
}

/** Every callback, or those of some orders, each with its order's request. */
export async function listSentCallbacks(
  db: SandboxReader,
  orderIds: readonly string[] | null,
): Promise<NamedCallback[]> {
  const all = db
    .selectFrom('callbacks')
    .innerJoin('orders', 'orders.order_id', 'callbacks.order_id')
    .selectAll('callbacks')
    .select('orders.request')
    .orderBy('callback_id')
  return await (orderIds === null ? all : all.where('callbacks.order_id', 'in', orderIds)).execute()
}

export async function callbackAttempts(db: SandboxReader, id: number): Promise<CallbackAttemptRow[]> {
  return await db.selectFrom('callback_attempts').selectAll().where('callback_id', '=', id).orderBy('number').execute()
}

export async function addCallbackAttempt(db: SandboxWriter, attempt: CallbackAttemptRow): Promise<void> {
  await db.insertInto('callback_attempts').values(attempt).execute()
}

export async function endAttempt(db: SandboxWriter, ended: Omit<CallbackAttemptRow, 'time'>): Promise<void> {
  const { callback_id, number, ...change } = ended
  const query = db.updateTable('callback_attempts').set(change).where('callback_id', '=', callback_id)
  await query.where('number', '=', number).execute()
}
