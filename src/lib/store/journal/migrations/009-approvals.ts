/** The ninth step of the journal's history: persons, rules and approvals, and who a payment counts for. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { approvalStatements } from '../approval-statements.ts'

export async function approvals(db: MigrationContext): Promise<void> {
  for (const statement of approvalStatements('text')) {
    await db.getExecutor().executeQuery(CompiledQuery.raw(statement))
  }
}
