/** A person's word that a store is whole where it is now; it is kept in the store, which has a new id from then on. */
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import { presentServer } from './known-server.ts'

export interface ConfirmedServer {
  /** False where there was nothing to confirm: nothing was changed. */
  readonly isNew: boolean
  readonly system: string
  readonly timeline: string
  readonly because: string
}

type Server = Pick<ConfirmedServer, 'system' | 'timeline'>

async function rowOf<Row>(db: QueryExecutorProvider, text: string, values: readonly unknown[] = []): Promise<Row> {
  const [row] = (await db.getExecutor().executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
  if (!row) throw new Error('the server gives no row')
  return row
}

export function serverNow(db: QueryExecutorProvider): Promise<Server> {
  return rowOf<Server>(db, `select ${presentServer.system} as system, ${presentServer.timeline} as timeline`)
}

/**
 * `before`: the ids that it is known by. All marks begin anew with the new id, and whoever knows one of those goes on with it. In the
 * transaction that has locked the store's own row. Gives the new id.
 */
export async function confirmStore(
  db: QueryExecutorProvider,
  because: string,
  before: readonly string[],
): Promise<string> {
  const { store } = await rowOf<{ store: string }>(
    db,
    `with own as (update paydesk_store set system = ${presentServer.system}, timeline = ${presentServer.timeline},
        store = gen_random_uuid()::text returning system, timeline, store)
      insert into paydesk_confirmed (at, by, system, timeline, because, store, before)
        select clock_timestamp(), current_user, system, timeline, $1, store, $2::text[] from own returning store`,
    [because, before],
  )
  return store
}
