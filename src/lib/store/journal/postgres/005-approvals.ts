/** Persons, rules and approvals in a team's store: the ninth step of a person's store. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { notingOn } from '../../postgres/chain.ts'
import { approvalStatements } from '../approval-statements.ts'
import { approvalTables } from '../approval-tables.ts'
import { textColumn } from './columns.ts'

export async function teamApprovals(db: MigrationContext): Promise<void> {
  for (const statement of [...approvalStatements(textColumn), ...notingOn(approvalTables)]) {
    await db.getExecutor().executeQuery(CompiledQuery.raw(statement))
  }
}
