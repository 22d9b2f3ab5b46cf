/**
 * The tables of received callbacks. Requests as they came over the wire (`received`) are only ever added to; their openings
 * stand beside them, one row each, so that nothing can be opened twice. Bodies are read only where they are needed: one may have megabytes.
 */
import { type Generated, type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from './engine/store.ts'

export interface ReceivedRow {
  /** The order in which they were stored. */
  readonly seq: Generated<number>
  readonly id: string
  readonly received_at: string
  readonly remote: string
  /** The profile of the listener; null where it had none. */
  readonly profile: string | null
  readonly method: string
  /** Path and query as they stood in the start line. */
  readonly target: string
  /** A JSON list of [name, value], as they came. */
  readonly headers: string
  /** The exact bytes. */
  readonly body: Uint8Array
  readonly body_digest: string
}

export interface OpenedRow {
  readonly seq: number
  readonly opened_at: string
  readonly how: string
  readonly scheme: string | null
  /** The reason why it could not be opened or read. */
  readonly why: string | null
  readonly kind: string
  readonly order_id: string | null
  readonly transaction_id: string | null
  readonly subscription_id: string | null
  readonly status: string | null
  /** A text that is the same for two callbacks about the same event. */
  readonly about: string | null
  /** The id of the first that said the same. */
  readonly duplicate_of: string | null
  readonly signature: string | null
  /** Its fields as JSON text, tokens of cards masked; null where it cannot be read. */
  readonly fields: string | null
}

/** One callback on its way to one target. */
export interface DeliveryRow {
  readonly seq: number
  readonly target: string
  readonly state: string
  /** Milliseconds since 1970. */
  readonly due: number
  readonly tries: number
  readonly since: number
}

export interface DeliveryAttemptRow {
  readonly number: Generated<number>
  readonly seq: number
  readonly target: string
  /** `forward` by the listener, or `replay` by hand. */
  readonly by: string
  /** 1 where what was sent is not what came. */
  readonly edited: number
  readonly started_at: string
  readonly milliseconds: number
  readonly outcome: string
  readonly http: number | null
  readonly why: string | null
}

export interface CallbackTables {
  received: ReceivedRow
  opened: OpenedRow
  deliveries: DeliveryRow
  delivery_attempts: DeliveryAttemptRow
}

export type CallbackReader = Kysely<CallbackTables>
export type CallbackWriter = Transaction<CallbackTables>

export const callbackSchema: Schema = {
  title: 'the store of callbacks',
  version: 1,
  tables: [
    `create table received (seq integer primary key autoincrement, id text not null unique, received_at text not null,
      remote text not null, profile text, method text not null, target text not null, headers text not null,
      body_digest text not null, body blob not null)`,
    'create index received_by_received_at on received (received_at)',
    'create index received_by_body_digest on received (body_digest)',
    `create table opened (seq integer primary key references received (seq), opened_at text not null, how text not null,
      scheme text, why text, kind text not null, order_id text, transaction_id text, subscription_id text, status text,
      about text, duplicate_of text, signature text, fields text)`,
    'create index opened_by_about on opened (about)',
    'create index opened_by_order_id on opened (order_id)',
    `create table deliveries (seq integer not null references received (seq), target text not null, state text not null,
      due integer not null, tries integer not null, since integer not null, primary key (seq, target))`,
    'create index deliveries_by_state on deliveries (state, target, seq)',
    `create table delivery_attempts (number integer primary key autoincrement,
      seq integer not null references received (seq), target text not null, by text not null, edited integer not null,
      started_at text not null, milliseconds integer not null, outcome text not null, http integer, why text)`,
    'create index delivery_attempts_by_seq on delivery_attempts (seq)',
  ],
}

export type ReceivedCallback = Selectable<CallbackTables['received']>
export type NewReceived = Insertable<CallbackTables['received']>
export type NewAttempt = Insertable<DeliveryAttemptRow>
export type DeliveryAttempt = Selectable<DeliveryAttemptRow>
export type Delivery = Selectable<DeliveryRow>

/** A callback as a list shows it: without its bytes. */
export type Listed = Omit<ReceivedCallback, 'body' | 'headers'> & {
  [Column in keyof Omit<OpenedRow, 'seq'>]: OpenedRow[Column] | null
} & {
  readonly bytes: number
  /** The state of what is on its way, the least finished first: pending, given-up, delivered. */
  readonly forward: string | null
}

/** Adds what came; with a target it is on its way there from the same commit on. */
export async function addReceived(
  db: CallbackWriter,
  row: NewReceived,
  target: string | null,
  now: number,
): Promise<void> {
  const { seq } = await db.insertInto('received').values(row).returning('seq').executeTakeFirstOrThrow()
  if (target === null) return
  await db.insertInto('deliveries').values({ seq, target, state: 'pending', due: now, tries: 0, since: now }).execute()
}

export async function receivedById(db: CallbackReader, id: string): Promise<ReceivedCallback | null> {
  return (await db.selectFrom('received').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export async function receivedAt(db: CallbackReader, seq: number): Promise<ReceivedCallback | null> {
  return (await db.selectFrom('received').selectAll().where('seq', '=', seq).executeTakeFirst()) ?? null
}

/** The first that was not opened yet; null for none. */
export async function firstUnopened(db: CallbackReader): Promise<ReceivedCallback | null> {
  const found = await db
    .selectFrom('received')
    .selectAll()
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('opened').select('opened.seq').whereRef('opened.seq', '=', 'received.seq'))),
    )
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** The first that came before and had the same bytes, or said the same. */
async function firstDelivery(db: CallbackReader, row: OpenedRow, digest: string): Promise<string | null> {
  const earlier = db
    .selectFrom('received')
    .select(['received.seq', 'received.id'])
    .where('received.seq', '<', row.seq)
    .orderBy('received.seq')
    .limit(1)
  const same = await earlier.where('body_digest', '=', digest).executeTakeFirst()
  const alike = earlier.innerJoin('opened', 'opened.seq', 'received.seq').where('opened.about', '=', row.about ?? '')
  const found = [same, row.about === null ? undefined : await alike.executeTakeFirst()]
  const [earliest] = found.filter((each) => each !== undefined).toSorted((a, b) => a.seq - b.seq)
  return earliest?.id ?? null
}

/** Records how one was opened; null where that was recorded before. */
export async function addOpened(
  db: CallbackWriter,
  row: Omit<OpenedRow, 'duplicate_of'>,
  digest: string,
): Promise<OpenedRow | null> {
  const whole = { ...row, duplicate_of: await firstDelivery(db, { ...row, duplicate_of: null }, digest) }
  const added = await db
    .insertInto('opened')
    .values(whole)
    .onConflict((conflict) => conflict.column('seq').doNothing())
    .returning('seq')
    .executeTakeFirst()
  return added ? whole : null
}

/** Puts a better opening in the place of one that failed. */
export async function replaceOpened(
  db: CallbackWriter,
  row: Omit<OpenedRow, 'duplicate_of'>,
  digest: string,
): Promise<void> {
  const duplicateOf = await firstDelivery(db, { ...row, duplicate_of: null }, digest)
  await db
    .updateTable('opened')
    .set({ ...row, duplicate_of: duplicateOf })
    .where('seq', '=', row.seq)
    .execute()
}

export interface CallbackFilter {
  /** ISO times, UTC. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** An integratorOrderId, transactionId or subscriptionId. */
  readonly order?: string | undefined
  readonly id?: string | undefined
  readonly kind?: string | undefined
  /** True for those alone that tell of a card. */
  readonly hasCard?: boolean | undefined
  /** True for those alone that name a subscription. */
  readonly hasSubscription?: boolean | undefined
  readonly profile?: string | undefined
  readonly limit?: number | undefined
  readonly oldestFirst?: boolean | undefined
}

const forward = sql<string | null>`(select state from deliveries where deliveries.seq = received.seq
  order by case state when 'pending' then 0 when 'given-up' then 1 else 2 end limit 1)`

/** Callbacks without their bytes, the newest first unless it says otherwise. */
export async function listCallbacks(db: CallbackReader, filter: CallbackFilter): Promise<Listed[]> {
  const { since, until, order, id, kind, hasCard, hasSubscription, profile, limit, oldestFirst } = filter
  let query = db
    .selectFrom('received')
    .leftJoin('opened', 'opened.seq', 'received.seq')
    .selectAll('opened')
    .select(['received.seq', 'received.id', 'received.received_at', 'received.remote', 'received.profile'])
    .select(['received.method', 'received.target', 'received.body_digest'])
    .select([sql<number>`length(received.body)`.as('bytes'), forward.as('forward')])
    .orderBy('received.seq', oldestFirst ? 'asc' : 'desc')
  if (since !== undefined) query = query.where('received.received_at', '>=', since)
  if (until !== undefined) query = query.where('received.received_at', '<', until)
  if (id !== undefined) query = query.where('received.id', '=', id)
  if (kind !== undefined) query = query.where('opened.kind', '=', kind)
  if (hasSubscription) query = query.where('opened.subscription_id', 'is not', null)
  if (hasCard) query = query.where('opened.fields', 'like', '%"cardInfo":{%')
  if (profile !== undefined) query = query.where('received.profile', '=', profile)
  if (order !== undefined) {
    query = query.where((is) =>
      is.or([
        is('opened.order_id', '=', order),
        is('opened.transaction_id', '=', order),
        is('opened.subscription_id', '=', order),
      ]),
    )
  }
  if (limit !== undefined) query = query.limit(limit)
  return await query.execute()
}

/**
 * The next delivery to a target. First those that were never put off, in the order they came; then the one that has been due
 * for longest, else the one that is due soonest. Without this order, a few that their target hangs up on would keep all
 * others.
 */
export async function nextDelivery(db: CallbackReader, target: string, now: number): Promise<Delivery | null> {
  const pending = db.selectFrom('deliveries').selectAll().where('state', '=', 'pending').where('target', '=', target)
  const first = pending.whereRef('due', '<=', 'since').where('due', '<=', now).orderBy('seq').limit(1)
  const putOff = pending.orderBy('due').orderBy('seq').limit(1)
  return (await first.executeTakeFirst()) ?? (await putOff.executeTakeFirst()) ?? null
}

export async function changeDelivery(
  db: CallbackWriter,
  { seq, target }: Pick<Delivery, 'seq' | 'target'>,
  change: Partial<Pick<Delivery, 'state' | 'due' | 'tries'>>,
): Promise<void> {
  await db.updateTable('deliveries').set(change).where('seq', '=', seq).where('target', '=', target).execute()
}

export async function addDeliveryAttempt(db: CallbackWriter, attempt: NewAttempt): Promise<void> {
  await db.insertInto('delivery_attempts').values(attempt).execute()
}

export async function deliveriesOf(db: CallbackReader, seq: number): Promise<Delivery[]> {
  return await db.selectFrom('deliveries').selectAll().where('seq', '=', seq).orderBy('target').execute()
}

export async function deliveryAttempts(db: CallbackReader, seq: number): Promise<DeliveryAttempt[]> {
  return await db.selectFrom('delivery_attempts').selectAll().where('seq', '=', seq).orderBy('number').execute()
}

/** The number of deliveries that wait for each target. */
export async function waiting(db: CallbackReader): Promise<{ target: string; count: number }[]> {
  return await db
    .selectFrom('deliveries')
    .select(['target', sql<number>`count(*)`.as('count')])
    .where('state', '=', 'pending')
    .groupBy('target')
    .orderBy('target')
    .execute()
}
