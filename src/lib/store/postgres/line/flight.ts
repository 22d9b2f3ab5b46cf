/** Statements that wait for the next one, as few as possible: rows of one table that are written alike are one statement. */
import type { DeferredQuery, WrittenRow } from '../../engine/deferred.ts'
import { storable } from '../../engine/storable.ts'

export interface SentStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface Departure extends SentStatement {
  /** The waiting statement that its rows belong to; null where it gives none. */
  readonly of: DeferredQuery | null
}

interface Piece {
  readonly like: WrittenRow
  readonly rows: WrittenRow['values'][]
}

const quoted = (name: string) => `"${name}"`

function shapeOf({ table, isNew, values }: WrittenRow): string {
  return JSON.stringify([table, isNew, ...Object.keys(values)])
}

/** One JSON text instead of many values: the statement is the same however many rows there are, and their types are the table's. */
function written({ like: { table, key, isNew, values }, rows }: Piece): Departure {
  const names = Object.keys(values)
  const given = `json_populate_recordset(null::${quoted(table)}, $1) as given`
  const listed = names.map((name) => `given.${quoted(name)}`).join(', ')
  const changed = names.filter((name) => !key.includes(name)).map((name) => `${quoted(name)} = given.${quoted(name)}`)
  const same = key.map((name) => `own.${quoted(name)} = given.${quoted(name)}`).join(' and ')
  const sql = isNew
    ? `insert into ${quoted(table)} (${names.map(quoted).join(', ')}) select ${listed} from ${given}`
    : `update ${quoted(table)} as own set ${changed.join(', ')} from ${given} where ${same}`
  return { sql, parameters: [JSON.stringify(rows, (_name, value: unknown) => storable(value))], of: null }
}

/** In their order, but for rows that know nothing of each other. */
export function leaving(waiting: readonly DeferredQuery[]): readonly Departure[] {
  const all: Departure[] = []
  let pieces = new Map<string, Piece>()
  let touched = new Set<string>()
  const close = () => {
    const inOrder = [...pieces.values()].toSorted((one, other) => one.like.rank - other.like.rank)
    all.push(...inOrder.map(written))
    pieces = new Map()
    touched = new Set()
  }
  for (const query of waiting) {
    const { later: row } = query
    if (row === null) {
      close()
      all.push({ sql: query.sql, parameters: query.parameters, of: query })
      continue
    }
    const name = JSON.stringify([row.table, ...row.key.map((column) => row.values[column])])
    // A row that is written twice is written in two statements.
    if (touched.has(name)) close()
    touched.add(name)
    const shape = shapeOf(row)
    const piece = pieces.get(shape)
    if (piece) piece.rows.push(row.values)
    else pieces.set(shape, { like: row, rows: [row.values] })
  }
  close()
  return all
}
