/**
 * A store: a database with a versioned schema behind one small async interface, so that the code above it neither knows the
 * engine nor can forget a transaction. Everything that is written is durable when `write` resolves.
 */
import type { Kysely, Transaction } from 'kysely'

export interface Store<Tables> {
  /** Looks things up. */
  read<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** One transaction, alone from its first statement on; committed and durable when the promise resolves. */
  write<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** The tools of a step in a schema's history, whatever tables there are by then. */
export type MigrationContext = Pick<Transaction<unknown>, 'schema' | 'getExecutor'>

/** One step of a schema's history. Steps are only ever added: old stores migrate forwards from the first release on. */
export type Migration = (db: MigrationContext) => Promise<void>

/** The tables of a store, and the history that led to them. `migrations.length` is its version. */
export interface Schema {
  /** Words for messages: "the journal", "the sandbox". */
  readonly title: string
  readonly migrations: readonly Migration[]
}
