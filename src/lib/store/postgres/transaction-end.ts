/** The end of a transaction: undone by whoever began it, or asked for where the answer to its commit was lost. */
import { CompiledQuery, type ControlledTransaction, type QueryExecutorProvider } from 'kysely'
import { deferred } from '../engine/deferred.ts'

/** A transaction that is asked to commit. */
export interface AskedCommit {
  /** The server's number of it. One that died with its server before anything of it was on the disk loses it to another. */
  readonly transaction: string
  /** The text that it alone has left in the store, at this place among all commits. */
  readonly stamp: string
  readonly place: number
}

/** Commits whose stamps are kept: far more than there are while one whose answer was lost is asked for. */
const keptStamps = 100_000

export const stampTable = 'create table if not exists paydesk_stamps (place bigint primary key, stamp text not null)'

/** Counts a commit, and leaves its stamp: the last thing that a transaction does. */
export function counted({ stamp, place }: AskedCommit) {
  return deferred(
    CompiledQuery.raw(
      `with counted as (update paydesk_store set commits = commits + 1),
        forgotten as (delete from paydesk_stamps where place <= $1::bigint - ${keptStamps})
      insert into paydesk_stamps (place, stamp) values ($1::bigint, $2)
        on conflict (place) do update set stamp = excluded.stamp`,
      [place, stamp],
    ),
  )
}

/** Undoes a transaction, if it is still there, and gives its connection back. */
export async function givenBack<Tables>(transaction: ControlledTransaction<Tables>): Promise<void> {
  await transaction
    .rollback()
    .execute()
    .catch(() => undefined)
}

async function rowOf<Row>(db: QueryExecutorProvider, text: string, value: unknown): Promise<Row | undefined> {
  return (await db.getExecutor().executeQuery<Row>(CompiledQuery.raw(text, [value]))).rows[0]
}

function untold({ transaction }: AskedCommit): Error {
  const words = `the server does not say what came of the transaction ${transaction}`
  return Object.assign(new Error(words), { code: '08007' })
}

/** False if it was undone. Throws what waiting may mend while the server has it yet, or knows it no more. */
export async function isCommitted(db: QueryExecutorProvider, asked: AskedCommit): Promise<boolean> {
  const status = await statusOf(db, asked)
  if (status === 'aborted') return false
  if (status !== 'committed') throw untold(asked)
  return hasStamp(db, asked)
}

async function statusOf(db: QueryExecutorProvider, { transaction }: AskedCommit): Promise<string | null> {
  const text = 'select pg_xact_status($1::xid8) as status'
  try {
    return (await rowOf<{ readonly status: string | null }>(db, text, transaction))?.status ?? null
  } catch (error) {
    // "is in the future": it died with its server, and its number was not given to another one yet.
    if (error instanceof Error && 'code' in error && error.code === '22023') return 'aborted'
    throw error
  }
}

/** Whichever transaction has its number by now has ended: so its stamp is there, or will never be. */
async function hasStamp(db: QueryExecutorProvider, asked: AskedCommit): Promise<boolean> {
  const text = `select commits::float8 as commits, (select stamp from paydesk_stamps where place = $1::bigint) as stamp
    from paydesk_store`
  const found = await rowOf<{ readonly commits: number; readonly stamp: string | null }>(db, text, asked.place)
  const { commits, stamp } = found ?? { commits: Infinity, stamp: null }
  if (stamp === null && asked.place <= commits - keptStamps) throw untold(asked)
  return stamp === asked.stamp
}
