/**
 * Statements by their text, prepared once. What a text gives may change while it is kept: another program may give a table other
 * columns, so those that give rows are prepared anew behind that.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

export type SqlValue = null | number | bigint | string | Uint8Array

export type SqlRow = Record<string, SqlValue>

export interface Prepared {
  /** Its rows come as lists of values. */
  readonly statement: StatementSyncInstance
  /** Makes a row of its values; null where it gives none. */
  readonly rowOf: ((values: readonly SqlValue[]) => SqlRow) | null
}

/** A list of another length is another text, so there is a limit. */
const most = 200

/** Rows with these columns: copies of one object, whose properties are found faster than those that are added one by one. */
function rowsWith(columns: readonly string[]): (values: readonly SqlValue[]) => SqlRow {
  const empty: SqlRow = JSON.parse(`{${columns.map((name) => `${JSON.stringify(name)}:null`).join()}}`)
  return (values) => {
    const row = { ...empty }
    columns.forEach((name, at) => {
      row[name] = values[at] ?? null
    })
    return row
  }
}

export class PreparedStatements {
  readonly #database: DatabaseSyncInstance
  readonly #kept = new Map<string, Prepared>()
  readonly #version: StatementSyncInstance
  #schema: unknown
  #isSchemaSeen = false

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
    this.#version = database.prepare('pragma schema_version')
  }

  /** To be told before a transaction begins: between two of them the schema may change. */
  lookAnew(): void {
    this.#isSchemaSeen = false
  }

  of(sql: string): Prepared {
    const prepared = this.#kept.get(sql) ?? this.#prepared(sql)
    const isStale = prepared.rowOf !== null && this.#kept.has(sql) && !this.#isOfThisSchema()
    return isStale ? this.#prepared(sql) : prepared
  }

  #isOfThisSchema(): boolean {
    if (this.#isSchemaSeen && this.#database.isTransaction) return true
    const [told] = this.#version.all()
    const schema = told?.schema_version
    const isSame = schema === this.#schema
    if (!isSame) this.#forget()
    this.#schema = schema
    this.#isSchemaSeen = this.#database.isTransaction
    return isSame
  }

  #forget(): void {
    this.#kept.clear()
    // SQLite learns of another schema when a statement meets it, not when it is prepared.
    this.#database.exec('select name from sqlite_schema limit 0')
  }

  #prepared(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    const columns = statement.columns().map(({ name }) => name)
    statement.setReturnArrays(true)
    const prepared = { statement, rowOf: columns.length > 0 ? rowsWith(columns) : null }
    // A pragma may give other columns each time: only plain statements are kept.
    if (!/^\s*(select|insert|update|delete|begin|commit|rollback|savepoint|release)\b/i.test(sql)) return prepared
    if (this.#kept.size >= most) this.#kept.clear()
    this.#kept.set(sql, prepared)
    return prepared
  }
}
