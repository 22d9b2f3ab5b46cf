/**
 * The queries of what counts against limits. Its rows follow from the intents, each changed in the transaction that changes the
 * intent: adding up a day of a hundred thousand payouts for each of them would take the square of the time.
 */
import { sql } from 'kysely'
import { originOf, type ServicePlace } from '../../contract/service.ts'
import type { IntentRow, JournalReader, JournalWriter, SpentRow } from './schema.ts'

/** Payouts of one currency, added up. `minute` is null where they are not told apart. */
export interface SpentSum {
  readonly minute: string | null
  readonly currency: string
  readonly payouts: bigint
  /** Minor units. */
  readonly units: bigint
}

/** A minute of a time in ISO form: "2026-11-20T06:31". */
export function minuteOf(iso: string): string {
  return iso.slice(0, 16)
}

/** Adds an intent to those of its minute, or takes it away again. */
export async function countSpent(db: JournalWriter, intent: IntentRow, by: 1 | -1): Promise<void> {
  const { environment, client_id, service_id, origin, currency, opened_at, amount_minor } = intent
  const key = { environment, client_id, minute: minuteOf(opened_at), service_id, origin, currency }
  const units = BigInt(amount_minor) * BigInt(by)
  await db
    .insertInto('spent')
    .values({ ...key, payouts: BigInt(by), units })
    .onConflict((conflict) =>
      conflict
        .columns(['environment', 'client_id', 'minute', 'service_id', 'origin', 'currency'])
        .doUpdateSet({ payouts: sql`spent.payouts + excluded.payouts`, units: sql`spent.units + excluded.units` }),
    )
    .execute()
}

/** One client of a service: by its identity, or by its address however that was spelled. */
function spentBy(db: JournalReader, place: ServicePlace) {
  return db
    .selectFrom('spent')
    .where('environment', '=', place.environment)
    .where('client_id', '=', place.clientId)
    .where((is) => is.or([is('service_id', '=', place.serviceId), is('origin', '=', originOf(place.service))]))
}

// Whole numbers come as text: above 2^53 the driver refuses them, and another engine gives all of them as text.
const sums = [
  sql<string>`cast(sum(payouts) as text)`.as('payouts'),
  sql<string>`cast(sum(units) as text)`.as('units'),
] as const

interface ReadSum extends Pick<SpentRow, 'currency'> {
  readonly minute?: string | null
  readonly payouts: string
  readonly units: string
}

function sumIn({ minute = null, currency, payouts, units }: ReadSum): SpentSum {
  return { minute, currency, payouts: BigInt(payouts), units: BigInt(units) }
}

/** The sums since the beginning of a minute, by currency. */
export async function spentSince(db: JournalReader, place: ServicePlace, minute: string): Promise<SpentSum[]> {
  const found = await spentBy(db, place)
    .where('minute', '>=', minute)
    .select(['currency', ...sums])
    .groupBy('currency')
    .execute()
  return found.map(sumIn)
}

/** The same, minute by minute. */
export async function spentByMinute(db: JournalReader, place: ServicePlace, minute: string): Promise<SpentSum[]> {
  const found = await spentBy(db, place)
    .where('minute', '>=', minute)
    .select(['minute', 'currency', ...sums])
    .groupBy(['minute', 'currency'])
    .execute()
  return found.map(sumIn)
}

/** A piece of time, and the intents that count in it. */
export interface SpentPiece {
  /** ISO times: from the first on, before the second. */
  readonly from: string
  readonly before: string
  readonly operations: readonly string[]
  /** The states in which an intent does not count, unless its id is taken. */
  readonly free: readonly string[]
}

/** The sums of a piece that is no whole minute, from the intents themselves, with the moment of the last of them. */
export async function spentWithin(
  db: JournalReader,
  place: ServicePlace,
  { from, before, operations, free }: SpentPiece,
): Promise<(SpentSum & { readonly last: string })[]> {
  const found = await db
    .selectFrom('intents')
    .where('environment', '=', place.environment)
    .where('client_id', '=', place.clientId)
    .where((is) => is.or([is('service_id', '=', place.serviceId), is('origin', '=', originOf(place.service))]))
    .where('operation', 'in', operations)
    .where('opened_at', '>=', from)
    .where('opened_at', '<', before)
    .where((is) => is.or([is('state', 'not in', free), is('sum_confirmed', '=', 'taken')]))
    .select([
      'currency',
      sql<string>`cast(count(*) as text)`.as('payouts'),
      sql<string>`cast(sum(cast(amount_minor as bigint)) as text)`.as('units'),
      sql<string>`max(opened_at)`.as('last'),
    ])
    .groupBy('currency')
    .execute()
  return found.map((row) => ({ ...sumIn(row), last: row.last }))
}
