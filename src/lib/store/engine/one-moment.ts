/** A transaction that only reads, and that sees the store as it was when it began, on either engine. */
import type { Kysely, TransactionBuilder } from 'kysely'

export function ofOneMoment<Tables>(db: Kysely<Tables>): TransactionBuilder<Tables> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
}
