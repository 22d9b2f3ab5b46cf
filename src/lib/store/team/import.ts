/** Rows of one journal read piece by piece, and written into another one as they are, with their ids, times and digests. */
import { sql } from 'kysely'
import { isIntact } from '../journal/digest.ts'
import { damagedRow } from '../journal/intents.ts'
import type { AttemptRow, IntentRow, JournalReader, JournalWriter, PayeeRow, SpentRow } from '../journal/schema.ts'

/** Rows of one statement. */
const piece = 500

function whole<Row extends { readonly digest: string }>(rows: Row[], nameOf: (row: Row) => string): Row[] {
  const damaged = rows.find((row) => !isIntact(row))
  if (damaged) throw damagedRow(nameOf(damaged))
  return rows
}

const intentName = ({ id }: IntentRow) => id
const attemptName = ({ intent_id, number }: AttemptRow) => `attempt ${number} of ${intent_id}`

/** All intents, each piece with its attempts. Throws a Failure for a row that is not as it was written. */
export async function* intentsInPieces(
  db: JournalReader,
): AsyncGenerator<{ readonly intents: IntentRow[]; readonly attempts: AttemptRow[] }> {
  for (let last = ''; ; ) {
    const next = db.selectFrom('intents').selectAll().where('id', '>', last).orderBy('id').limit(piece)
    const intents = whole(await next.execute(), intentName)
    const end = intents.at(-1)
    if (!end) return
    const ids = intents.map(({ id }) => id)
    const attempts = await db.selectFrom('attempts').selectAll().where('intent_id', 'in', ids).execute()
    yield { intents, attempts: whole(attempts, attemptName) }
    last = end.id
  }
}

/** Writes intents that are not there, and gives those that could not be: the same id of a client was sent from here, too. */
export async function putIntents(db: JournalWriter, intents: IntentRow[]): Promise<IntentRow[]> {
  const put = db
    .insertInto('intents')
    .values(intents)
    .onConflict((on) => on.doNothing())
  const done = new Set((await put.returning('id').execute()).map(({ id }) => id))
  return intents.filter(({ id }) => !done.has(id))
}

export async function putAttempts(db: JournalWriter, attempts: AttemptRow[]): Promise<void> {
  for (let at = 0; at < attempts.length; at += piece) {
    await db
      .insertInto('attempts')
      .values(attempts.slice(at, at + piece))
      .execute()
  }
}

/** Payees that are not known yet. */
export async function putPayees(db: JournalWriter, payees: readonly PayeeRow[]): Promise<void> {
  if (payees.length > 0)
    await db
      .insertInto('payees')
      .values([...payees])
      .onConflict((on) => on.doNothing())
      .execute()
}

/** Whole numbers as text: no engine's driver rounds them. */
export async function spentRows(db: JournalReader) {
  const { rows } = await sql<Record<keyof SpentRow, string>>`
    select environment, client_id, minute, service_id, origin, currency, cast(payouts as text) as payouts, cast(units as text) as units
    from spent`.execute(db)
  return rows
}

/** Adds what counts against limits to what counts there already. */
export async function addSpent(db: JournalWriter, rows: Awaited<ReturnType<typeof spentRows>>): Promise<void> {
  for (const { environment, client_id, minute, service_id, origin, currency, payouts, units } of rows) {
    await sql`
      insert into spent (environment, client_id, minute, service_id, origin, currency, payouts, units)
      values (${environment}, ${client_id}, ${minute}, ${service_id}, ${origin}, ${currency}, ${BigInt(payouts)}, ${BigInt(units)})
      on conflict (environment, client_id, minute, service_id, origin, currency)
      do update set payouts = spent.payouts + excluded.payouts, units = spent.units + excluded.units
    `.execute(db)
  }
}

/** The name of a journal for ever: its first link. Null of an empty one. */
export async function nameOfJournal(db: JournalReader): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`select hash from links order by number limit 1`.execute(db)
  return rows[0]?.hash ?? null
}

/** False where it was brought before. `head`: how far it went. `now`: ISO text. */
export async function noteImport(db: JournalWriter, journal: string, head: string, now: string): Promise<boolean> {
  const { rows } = await sql<{ journal: string }>`
    insert into imports (journal, head, at) values (${journal}, ${head}, ${now})
    on conflict do nothing returning journal`.execute(db)
  return rows.length > 0
}
