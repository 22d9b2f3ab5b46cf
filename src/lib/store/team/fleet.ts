/** The queries of a fleet. */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { PlanTableRow } from '../plans.ts'
import type { FleetTables, HandedRow, WorkerRow } from './schema.ts'

/** Milliseconds after which a worker that was not seen is taken for gone. */
export const unseenAtMost = 60_000

type FleetReader = Kysely<FleetTables>
export type FleetWriter = Transaction<FleetTables>

export async function rowOfPlan(db: FleetReader, planId: string): Promise<PlanTableRow | null> {
  return (await db.selectFrom('plans').selectAll().where('id', '=', planId).executeTakeFirst()) ?? null
}

/** Hands a plan over, also once more. */
export async function handPlan(db: FleetWriter, row: HandedRow): Promise<void> {
  await db.deleteFrom('handed').where('plan_id', '=', row.plan_id).execute()
  await db.insertInto('handed').values(row).execute()
}

export async function changeHanded(
  db: FleetWriter,
  planId: string,
  changes: Partial<Omit<HandedRow, 'plan_id'>>,
): Promise<void> {
  await db.updateTable('handed').set(changes).where('plan_id', '=', planId).execute()
}

export async function handedPlan(db: FleetReader, planId: string): Promise<HandedRow | null> {
  return (await db.selectFrom('handed').selectAll().where('plan_id', '=', planId).executeTakeFirst()) ?? null
}

/** Plans that workers take from, and that nobody has looked through since `before`. */
export async function unsweptPlans(db: FleetReader, queue: string, before: string): Promise<HandedRow[]> {
  return db
    .selectFrom('handed')
    .selectAll()
    .where('queue', '=', queue)
    .where('stopped', 'is', null)
    .where('ended_at', 'is', null)
    .where((is) => is.or([is('swept_at', 'is', null), is('swept_at', '<', before)]))
    .execute()
}

/** Marks that a plan is looked through now. False where another worker has done so since `before`, or nobody takes from it any more. */
export async function markSwept(db: FleetWriter, planId: string, before: string, now: string): Promise<boolean> {
  const marked = await db
    .updateTable('handed')
    .set({ swept_at: now })
    .where('plan_id', '=', planId)
    .where('stopped', 'is', null)
    .where('ended_at', 'is', null)
    .where((is) => is.or([is('swept_at', 'is', null), is('swept_at', '<', before)]))
    .returning('plan_id')
    .execute()
  return marked.length > 0
}

/** Takes turns for so many rows, from `now` (milliseconds since 1970) on; null without a rate. `next_turn`: that after the last of them. */
export async function takeTurns(db: FleetWriter, planId: string, rows: number, now: number) {
  const { rows: found } = await sql<{ readonly next_turn: number; readonly rate: number }>`
    update handed set next_turn = case when next_turn > ${now} then next_turn else cast(${now} as float8) end
      + cast(${rows * 1000} as float8) / rate
    where plan_id = ${planId} and rate is not null returning next_turn, rate`.execute(db)
  return found[0] ?? null
}

export async function giveTurnsBack(db: FleetWriter, planId: string, rows: number): Promise<void> {
  await sql`update handed set next_turn = next_turn - cast(${rows * 1000} as float8) / rate
    where plan_id = ${planId} and rate is not null`.execute(db)
}

/** The client of a plan, and what its rows are, as the columns of its intents have it. */
interface ClientOfRows {
  readonly operation: string
  readonly environment: string
  readonly client_id: string
  readonly service_id: string
  readonly origin: string
}

const resumable = ['unsent', 'turned-away']

interface ChunksAsked {
  readonly planId: string
  readonly rowsPerChunk: number
  /** ISO text. */
  readonly now: string
  /** Also those with a row that was refused since it was planned: perhaps with another body, which is not for this query to see. */
  readonly everyRefused: boolean
  /** Holders whose processes have died: their leases are over. */
  readonly gone: readonly string[]
}

/** The rows of a plan, each with its intent. */
function rowsWithIntents(db: FleetReader, planId: string, client: ClientOfRows) {
  return db
    .selectFrom('plan_rows')
    .leftJoin('intents', (join) =>
      join
        .onRef('intents.unique_id', '=', 'plan_rows.unique_id')
        .on('intents.operation', '=', client.operation)
        .on('intents.environment', '=', client.environment)
        .on('intents.client_id', '=', client.client_id)
        .on((is) => is.or([is('service_id', '=', client.service_id), is('origin', '=', client.origin)])),
    )
    .where('plan_id', '=', planId)
}

/**
 * The chunks in which there is something to send: rows that were never opened, were not sent, or whose holder is gone by time. It is
 * a hint; what may be sent is decided where it is opened.
 */
export async function openChunks(
  db: FleetReader,
  { planId, rowsPerChunk, now, everyRefused, gone }: ChunksAsked,
  client: ClientOfRows,
): Promise<number[]> {
  const chunk = sql<number>`plan_rows.number / ${sql.lit(rowsPerChunk)}`
  const found = await rowsWithIntents(db, planId, client)
    .select(chunk.as('chunk'))
    .distinct()
    .where((is) =>
      is.or([
        is('intents.id', 'is', null),
        is('intents.state', 'in', resumable),
        everyRefused
          ? is('intents.state', '=', 'refused')
          : is.and([is('intents.state', '=', 'refused'), is('intents.changed_at', '=', is.ref('known_changed_at'))]),
        is.and([
          is('intents.state', '=', 'unknown'),
          is('intents.holder', 'is not', null),
          is.or([is('intents.held_until', '<', now), ...(gone.length > 0 ? [is('intents.holder', 'in', gone)] : [])]),
        ]),
      ]),
    )
    .orderBy('chunk')
    .execute()
  return found.map((row) => row.chunk)
}

/** True if a row has no answer, and whoever has it may still come to one: it comes back when its lease ends. */
export async function hasLeased(db: FleetReader, planId: string, client: ClientOfRows): Promise<boolean> {
  const found = await rowsWithIntents(db, planId, client)
    .select('number')
    .where('intents.state', '=', 'unknown')
    .where('intents.holder', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Writes down that a worker is there. */
export async function noteWorker(db: FleetWriter, row: WorkerRow): Promise<void> {
  await db
    .insertInto('workers')
    .values(row)
    .onConflict((found) => found.column('id').doUpdateSet(row))
    .execute()
}

export async function forgetWorker(db: FleetWriter, id: string): Promise<void> {
  await db.deleteFrom('workers').where('id', '=', id).execute()
}

/** The workers that were seen since a moment. */
export async function workersSince(db: FleetReader, since: string): Promise<WorkerRow[]> {
  return db.selectFrom('workers').selectAll().where('seen_at', '>=', since).orderBy('started_at').execute()
}

/** The names of the chunks that a worker has in work. */
export function chunksIn(text: string): readonly string[] {
  const names: unknown = JSON.parse(text)
  return Array.isArray(names) ? names.map(String) : []
}
