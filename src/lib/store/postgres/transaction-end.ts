/** The end of a transaction: undone by whoever began it, or asked for by its number where the answer to its commit was lost. */
import { CompiledQuery, type ControlledTransaction, type QueryExecutorProvider } from 'kysely'

/** Undoes a transaction, if it is still there, and gives its connection back. */
export async function givenBack<Tables>(transaction: ControlledTransaction<Tables>): Promise<void> {
  await transaction
    .rollback()
    .execute()
    .catch(() => undefined)
}

/** False if it was undone. Throws what waiting may mend while the server has it yet, or knows it no more. */
export async function isCommitted(db: QueryExecutorProvider, number: string): Promise<boolean> {
  const query: CompiledQuery<{ readonly status: string | null }> = CompiledQuery.raw(
    'select pg_xact_status($1::xid8) as status',
    [number],
  )
  const [row] = (await db.getExecutor().executeQuery(query)).rows
  if (row?.status === 'committed') return true
  if (row?.status === 'aborted') return false
  throw Object.assign(new Error(`the server does not say what came of the transaction ${number}`), { code: '08007' })
}
