/**
 * A store: a database with a versioned schema behind one small async interface, so that the code above it neither knows the
 * engine nor can forget a transaction. Everything that is written is durable when `write` resolves.
 */
import type { Kysely, Transaction } from 'kysely'
import type { Failure } from '../../failure.ts'
import type { ChainedTable } from '../chain/chained.ts'
import type { ChainHead } from '../chain/link.ts'

export interface Store<Tables> {
  /** Looks things up as they stand at one moment: what others commit meanwhile is not seen. It writes nothing. */
  read<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /** The same for a single statement, which is of one moment by itself. */
  ask<Result>(statement: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** Lends its connections to a reader that makes a transaction of its own. */
  lend<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** One transaction, alone from its first statement on; committed and durable when the promise resolves. */
  write<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /** The newest link of its hash chain that this process knows of: its own commits are among its links. Null without a chain. */
  readonly head: ChainHead | null
  /** The reason why nothing new may be begun in it, where a newer paydesk has changed its schema since it was opened. */
  readonly outdated: Failure | null
  /**
   * Writes its file anew, so that nothing of what was changed or removed is left in it. False while another program reads it.
   * Absent where the engine alone knows its files.
   */
  readonly erase?: () => Promise<boolean>
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
  /** The tables under a hash chain, whose links a migration has made room for; none where there is no chain. */
  readonly chained?: readonly ChainedTable[]
}
