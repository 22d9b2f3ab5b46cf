/**
 * The queries of what counts against limits. Its rows follow from the intents, each changed in the transaction that changes the
 * intent: adding up a day of a hundred thousand payouts for each of them would take the square of the time. A transaction that
 * decides is alone here; in an engine where it is not, it has to lock the rows of its client first.
 */
import { sql } from 'kysely'
import { originOf, type ServicePlace } from '../../contract/service.ts'
import { ofService, scopeColumns } from './intents.ts'
import type { IntentRow, JournalReader, JournalWriter, SpentRow } from './schema.ts'

/** Payouts of one currency, added up. `minute` is null where they are not told apart. */
export interface SpentSum {
  readonly minute: string | null
  readonly currency: string
  readonly payouts: bigint
  /** Minor units. */
  readonly units: bigint
}

/** The states in which nothing counts, unless another request may have executed it under the same id. */
export const uncountedStates = ['refused', 'unsent', 'held'] as const

/** True if an intent counts: then one more attempt of it is a repeat, which no limit and no rule holds. */
export function isCounted(row: Pick<IntentRow, 'state' | 'sum_confirmed'>): boolean {
  return row.sum_confirmed === 'taken' || !uncountedStates.some((state) => state === row.state)
}

/** A minute of a time in ISO form: "2026-11-20T06:31". */
export function minuteOf(iso: string): string {
  return iso.slice(0, 16)
}

/** The columns of an intent that say where it counts. */
type Counted = Pick<
  IntentRow,
  'environment' | 'client_id' | 'service_id' | 'origin' | 'currency' | 'opened_at' | 'amount_minor'
>

/** An intent that is added to those of its minute, or taken away again. */
export type SpentBy = readonly [of: Counted, by: 1 | -1]

/** The same, added up by minute and currency. */
export function sumSpent(all: readonly SpentBy[]): readonly SpentRow[] {
  const sums = new Map<string, SpentRow>()
  for (const [{ environment, client_id, opened_at, service_id, origin, currency, amount_minor }, by] of all) {
    const of = { environment, client_id, minute: minuteOf(opened_at), service_id, origin, currency }
    const name = JSON.stringify(Object.values(of))
    const { payouts = 0n, units = 0n } = sums.get(name) ?? {}
    sums.set(name, { ...of, payouts: payouts + BigInt(by), units: units + BigInt(by) * BigInt(amount_minor) })
  }
  return [...sums.values()].filter(({ payouts, units }) => payouts !== 0n || units !== 0n)
}

/** Adds intents to the sums, and takes others away: a statement for each minute and currency among them. */
export async function countSpent(db: JournalWriter, all: readonly SpentBy[]): Promise<void> {
  for (const { environment, client_id, minute, service_id, origin, currency, payouts, units } of sumSpent(all)) {
    // Written out: it stands beside every payout, and a builder would make the same text each time.
    await sql`
      insert into spent (environment, client_id, minute, service_id, origin, currency, payouts, units)
      values (${environment}, ${client_id}, ${minute}, ${service_id}, ${origin}, ${currency}, ${payouts}, ${units})
      on conflict (environment, client_id, minute, service_id, origin, currency)
      do update set payouts = spent.payouts + excluded.payouts, units = spent.units + excluded.units
    `.execute(db)
  }
}

/** One client of a service: by its identity, or by its address however that was spelled. */
function ofPlace({ environment, clientId, serviceId, service }: ServicePlace) {
  const named = sql`(service_id = ${serviceId} or origin = ${originOf(service)})`
  return sql`environment = ${environment} and client_id = ${clientId} and ${named}`
}

/** Whole numbers come as text: above 2^53 the driver refuses them, and another engine gives all of them as text. */
interface ReadSum {
  readonly minute?: string
  readonly currency: string
  readonly payouts: string
  readonly units: string
}

function sumIn({ minute, currency, payouts, units }: ReadSum): SpentSum {
  return { minute: minute ?? null, currency, payouts: BigInt(payouts), units: BigInt(units) }
}

/** The sums since the beginning of a minute, by currency. */
export async function spentSince(db: JournalReader, place: ServicePlace, minute: string): Promise<SpentSum[]> {
  const { rows } = await sql<ReadSum>`
    select currency, cast(sum(payouts) as text) as payouts, cast(sum(units) as text) as units
    from spent where ${ofPlace(place)} and minute >= ${minute} group by currency order by currency
  `.execute(db)
  return rows.map(sumIn)
}

/** The same, minute by minute. */
export async function spentByMinute(db: JournalReader, place: ServicePlace, minute: string): Promise<SpentSum[]> {
  const { rows } = await sql<ReadSum>`
    select minute, currency, cast(sum(payouts) as text) as payouts, cast(sum(units) as text) as units
    from spent where ${ofPlace(place)} and minute >= ${minute} group by minute, currency
  `.execute(db)
  return rows.map(sumIn)
}

/** A piece of time, and the intents that count in it. */
interface SpentPiece {
  /** ISO times: from the first on, before the second. */
  readonly from: string
  readonly before: string
  readonly operations: readonly string[]
}

/** The sums of a piece that is no whole minute, from the intents themselves, with the moment of the last of them. */
export async function spentWithin(
  db: JournalReader,
  place: ServicePlace,
  { from, before, operations }: SpentPiece,
): Promise<(SpentSum & { readonly last: string })[]> {
  const { rows } = await sql<ReadSum & { readonly last: string }>`
    select currency, cast(count(*) as text) as payouts, cast(sum(cast(amount_minor as bigint)) as text) as units,
      max(opened_at) as last
    from intents
    where opened_at >= ${from} and opened_at < ${before} and ${ofPlace(place)} and operation in (${sql.join(operations)})
      and (state not in (${sql.join(uncountedStates)}) or sum_confirmed = 'taken')
    group by currency
  `.execute(db)
  return rows.map((row) => ({ ...sumIn(row), last: row.last }))
}

/** Open payments with one holder, in one currency. */
export interface OpenSum {
  /** The process that has them in flight, or had; null where none has. */
  readonly holder: string | null
  /** True until its lease has ended by time. */
  readonly isLeased: boolean
  readonly currency: string
  readonly payments: number
  /** Minor units. */
  readonly units: bigint
  /** The moment when the oldest was opened, ISO. */
  readonly oldest: string
}

/** The open payments of a client: in flight, or without a definite answer. The index of states finds them: few are, however many there were. */
interface OpenFilter {
  /** One client of a service; null for all. */
  readonly place: ServicePlace | null
  readonly operations: readonly string[]
  /** The present moment by the clock of the store, as ISO text. */
  readonly now: string
}

/** By holder and currency; a write that moves no sum of its own counts with none. */
export async function openSums(db: JournalReader, { place, operations, now }: OpenFilter): Promise<OpenSum[]> {
  const isLeased = sql<number>`case when holder is not null and held_until >= ${now} then 1 else 0 end`
  let query = db
    .selectFrom('intents')
    .select(['holder', 'currency', isLeased.as('leased')])
    .select(sql<string>`cast(count(*) as text)`.as('payments'))
    .select(sql<string>`cast(sum(cast(amount_minor as bigint)) as text)`.as('units'))
    .select(sql<string>`min(opened_at)`.as('oldest'))
    .where('state', '=', 'unknown')
    .where('operation', 'in', operations)
    .where('amount_minor', '<>', '')
    .groupBy(['holder', 'currency', sql.ref('leased')])
  if (place !== null) query = query.where((is) => ofService(is, scopeColumns(place)))
  return (await query.execute()).map(({ holder, currency, leased, payments, units, oldest }) => ({
    ...{ holder, currency, oldest },
    isLeased: leased === 1,
    payments: Number(payments),
    units: BigInt(units),
  }))
}
