/** The row of its own that every store has: what a transaction asks for before its work. */
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import { databaseTime } from './clock.ts'
import { type KnownServer, knownServer } from './known-server.ts'

export interface OwnRow extends KnownServer {
  readonly schema: number
  /** The number of the transaction, for ever. */
  readonly transaction: string
}

export const lockOwnRow: CompiledQuery<OwnRow> = CompiledQuery.raw(
  `select schema, pg_current_xact_id()::text as transaction, ${knownServer} from paydesk_store for update`,
)
interface TimeRow {
  readonly time: number
}

/** The database's time, in milliseconds since 1970; `also` is further SQL of the same statement. */
export async function timeRow(db: QueryExecutorProvider, also = ''): Promise<TimeRow> {
  const query: CompiledQuery<TimeRow> = CompiledQuery.raw(`select ${databaseTime} as time${also}`)
  const [row] = (await db.getExecutor().executeQuery(query)).rows
  if (!row) throw new Error('the server gives no row')
  return row
}
