/** A person's word that a store is whole on the server where it is now; it is kept in the store. */
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import { presentServer } from './known-server.ts'

export interface ConfirmedServer {
  /** False where the store was on this server already: nothing was changed. */
  readonly isNew: boolean
  readonly system: string
  readonly timeline: string
  readonly because: string
}

type Server = Pick<ConfirmedServer, 'system' | 'timeline'>

/** One statement: two who confirm at once do so one after the other. */
const confirm = `
  with present as (select ${presentServer.system} as system, ${presentServer.timeline} as timeline),
    moved as (update paydesk_store as own set system = present.system, timeline = present.timeline from present
      where (own.system, own.timeline) <> (present.system, present.timeline) returning own.system, own.timeline),
    said as (insert into paydesk_confirmed select clock_timestamp(), current_user, moved.*, $1 from moved)
  select present.*, exists (select from moved) as is_new from present`

export async function confirmServer(db: QueryExecutorProvider, because: string): Promise<ConfirmedServer> {
  const query: CompiledQuery<Server & { readonly is_new: boolean }> = CompiledQuery.raw(confirm, [because])
  const [row] = (await db.getExecutor().executeQuery(query)).rows
  if (!row) throw new Error('the server gives no row')
  return { isNew: row.is_new, system: row.system, timeline: row.timeline, because }
}
