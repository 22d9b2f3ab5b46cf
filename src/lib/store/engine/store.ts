/**
 * A store: a database with a versioned schema behind one small async interface, so that the code above it neither knows the
 * engine nor can forget a transaction. Everything that is written is durable when `write` resolves.
 */
import type { Kysely, Transaction, TransactionBuilder } from 'kysely'
import type { Failure } from '../../failure.ts'
import type { ChainedTable, ChainHead } from '../chain/chain.ts'

export interface Store<Tables> {
  /** Looks things up as they stand at one moment: what others commit meanwhile is not seen. It writes nothing. */
  read<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /** The same for a single statement, which is of one moment by itself. */
  ask<Result>(statement: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** Lends its connections to a reader that makes a transaction of its own. */
  lend<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>
  /** One transaction, alone from its first statement on; committed and durable when the promise resolves. */
  write<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result>
  /**
   * Makes a commit that the store decides on by itself, in one call. `make` gives it when it is its turn, in the form of the schema; null
   * for none. False where nothing was changed: a transaction has to decide. Absent where a transaction costs no more.
   */
  readonly commitWhole?: (make: () => object | null) => Promise<boolean>
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

/** The tools of a migration, whatever tables there are by then. */
export type MigrationContext = Pick<Transaction<unknown>, 'schema' | 'getExecutor'>

/** One step from a version of a schema to the next one. */
export type Migration = (db: MigrationContext) => Promise<void>

/** The tables of a store. */
export interface Schema {
  /** Words for messages: "the journal", "the sandbox". */
  readonly title: string
  /** A store of another version is refused (2), or made anew. */
  readonly version: number
  /** The statements that make its tables. */
  readonly tables: readonly string[]
  /** The last of them leads to `version`; a store that is older than the first of them is refused. */
  readonly migrations?: readonly Migration[]
  /** True if a store of another version is emptied and made anew. */
  readonly isRemade?: boolean
  /** The tables under a hash chain; absent where there is no chain. */
  readonly chained?: readonly ChainedTable[]
}

/** The statements that make tables on both engines. `text`: the type of a text that is compared byte by byte. */
export type CreateTables = (text: string) => readonly string[]

/** Columns of one type, as SQL. */
export function columns(type: string, ...names: readonly string[]): string {
  return names.map((name) => `${name} ${type}`).join(', ')
}

/** A transaction that only reads, and that sees the store as it was when it began, on either engine. */
export function ofOneMoment<Tables>(db: Kysely<Tables>): TransactionBuilder<Tables> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
}

const mark = '\ufffd'
const halves = /\p{Surrogate}/gu
/** A text without one of these is stored as it is: nearly every one. */
const suspect = /[\0\ud800-\udfff]/

/**
 * The same value as every engine gives it back. SQLite ends a text at a NUL, which Postgres refuses, and half a surrogate pair is
 * no Unicode; a service may send both as escapes in JSON. They are replaced before a digest is made and before anything is looked
 * for.
 */
export function storable<Value>(value: Value): Value | string {
  if (typeof value !== 'string' || !suspect.test(value)) return value
  return value.replaceAll('\0', mark).replaceAll(halves, mark)
}
