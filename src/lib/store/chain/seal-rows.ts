/** Links over rows that stand there without one: what a migration has written, or an earlier build. */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../engine/store.ts'
import { type ChainedTable, chainedContent, chainedName } from './chained.ts'
import { addLink, headOf } from './link.ts'

/** Rows that one link seals. */
const atOnce = 500

interface Piece {
  readonly changes: string
  readonly last: number | null
}

/** Adds links to the chain for all rows of a table, as they stand. */
export async function sealRows(db: MigrationContext, table: ChainedTable): Promise<void> {
  const [name, content] = [chainedName(table, 'own'), chainedContent(table, 'own')]
  const next = `select json_group_object(name, content) as changes, max(place) as last from (
      select ${name} as name, ${content} as content, rowid as place from ${table.name} as own
      where rowid > ? order by rowid limit ${atOnce})`
  let head = await headOf(db)
  for (let last = 0; ; ) {
    const { rows } = await db.getExecutor().executeQuery<Piece>(CompiledQuery.raw(next, [last]))
    const [piece] = rows
    if (!piece || piece.last === null) return
    head = await addLink(db, head, piece.changes, 1)
    last = piece.last
  }
}
