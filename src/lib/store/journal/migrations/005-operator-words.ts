/**
 * The fifth step of the journal's history: the operator's word about a write has a column of its own. It stood among the reasons
 * before, told apart by how its sentence began. A row that was changed outside paydesk keeps its digest, which goes on telling so.
 */
import type { Transaction } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { isSealed, sealed } from '../seal.ts'

interface SettledIntent {
  readonly id: string
  readonly because: string | null
  readonly operator_word: string | null
  readonly digest: string
}

const beginning = 'the operator says: '

export async function operatorWords(unknown: MigrationContext): Promise<void> {
  const db = unknown as Transaction<{ intents: SettledIntent }>
  await db.schema.alterTable('intents').addColumn('operator_word', 'text').execute()
  const rows = await db.selectFrom('intents').selectAll().where('because', 'like', `${beginning}%`).execute()
  for (const row of rows) {
    const moved = withWord(row)
    await db.updateTable('intents').set(moved).where('id', '=', row.id).execute()
  }
}

function withWord(row: SettledIntent): SettledIntent {
  const { digest, ...values } = { ...row, because: null, operator_word: row.because?.slice(beginning.length) ?? null }
  return isSealed(row) ? sealed<SettledIntent>(values) : { ...values, digest }
}
