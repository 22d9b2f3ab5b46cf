/** Queries whose text is written once: kysely takes longer to write a statement than SQLite to carry it out. */
import { type Compilable, type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely'

/** The place of a value in the text. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Values that are still to come, each under its name. */
export type Slots<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> }

function slotsFor<Values extends object>(values: Values): Slots<Values> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, sql`${new Slot(name)}`])) as Slots<Values>
}

/** Carries a query out: a store's connection, or a transaction of it. */
interface Carrier {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
  /** Of one class for all stores of an engine. */
  getExecutor(): { readonly adapter: object }
}

/**
 * A query of values by their names. `write` sees which of them there are, never what they are: for each engine a text is kept for
 * every set of names.
 */
export function template<Db extends Carrier, Values extends object, Row>(
  write: (db: Db, values: Slots<Values>) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const filled = textFor(write)
  return async (db, values) => (await db.executeQuery(filled(db, values))).rows
}

function textFor<Db extends Carrier, Values extends object, Row>(
  write: (db: Db, values: Slots<Values>) => Compilable<Row>,
): (db: Db, values: Values) => CompiledQuery<Row> {
  const engines = new Map<unknown, Map<string, CompiledQuery<Row>>>()
  const writtenFor = (engine: unknown) => {
    const written = engines.get(engine) ?? new Map<string, CompiledQuery<Row>>()
    engines.set(engine, written)
    return written
  }
  return (db, values) => {
    const written = writtenFor(db.getExecutor().adapter.constructor)
    const names = Object.keys(values).join()
    let query = written.get(names)
    if (!query) {
      query = write(db, slotsFor(values)).compile()
      written.set(names, query)
    }
    const given = values as Readonly<Record<string, unknown>>
    const parameters = query.parameters.map((each) => (each instanceof Slot ? given[each.name] : each))
    return { ...query, parameters }
  }
}
