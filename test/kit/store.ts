/** Stores in memory and in files, and journals changed by other programs. */

import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  type Dialect,
  Kysely,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import type { Intent } from '../../src/lib/journal/intent.ts'
import { type ChainHead, createLinks, linkNoted, notingChanges } from '../../src/lib/store/chain/chain.ts'
import { ofOneMoment, type Schema, type Store, storable } from '../../src/lib/store/engine/store.ts'
import { onTestFinished } from './run/at-end.ts'

type Value = null | number | bigint | string | Uint8Array

function preparedIn(database: DatabaseSyncInstance, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  const storables = (values: readonly unknown[]) => values.map(storable) as Value[]
  return {
    reader: statement.columns().length > 0,
    all: (values) => statement.all(...storables(values)).map((row) => ({ ...(row as object) })),
    run: (values) => {
      const { changes, lastInsertRowid } = statement.run(...storables(values))
      return { changes: BigInt(changes), lastInsertRowid: BigInt(lastInsertRowid) }
    },
    iterate: () => {
      throw new Error('streaming is not offered')
    },
  }
}

/** Kysely's own dialect: in memory no other program has to be waited for. Each text is prepared once. */
export function memoryDialect(database: DatabaseSyncInstance): Dialect {
  const kept = new Map<string, SqliteStatement>()
  const prepare = (sql: string) => {
    const statement = kept.get(sql) ?? preparedIn(database, sql)
    // A change of the schema changes columns; a pragma may give other ones each time.
    if (/^\s*(select|insert|update|delete|begin|commit|rollback)\b/i.test(sql)) kept.set(sql, statement)
    else kept.clear()
    return statement
  }
  return new SqliteDialect({ database: { prepare, close: () => database.close() } })
}

export async function memoryStore<Tables>(schema: Schema): Promise<Store<Tables>> {
  const database = new DatabaseSync(':memory:')
  const db = new Kysely<Tables>({ dialect: memoryDialect(database) })
  for (const statement of schema.tables) database.exec(statement)
  if (schema.chained) database.exec(`${createLinks}; ${notingChanges(schema.chained)}`)
  let head: ChainHead | null = null
  return {
    get head() {
      return head
    },
    read: (work) => ofOneMoment(db).execute(work),
    ask: (statement) => statement(db),
    lend: (work) => work(db),
    async write(work) {
      const { result, link } = await db.transaction().execute(async (transaction) => {
        const done = await work(transaction)
        return { result: done, link: schema.chained ? await linkNoted(transaction) : null }
      })
      head = link ?? head
      return result
    },
    outdated: null,
    close: () => db.destroy(),
  }
}

interface Executing {
  executeQuery(query: CompiledQuery, ...rest: readonly unknown[]): unknown
}

/** Collects the text of each, from here to the end of the test. */
export function watchStatements(): readonly string[] {
  const executor = Object.getPrototypeOf(DefaultQueryExecutor.prototype) as Executing
  const { executeQuery } = executor
  const texts: string[] = []
  executor.executeQuery = function watched(this: Executing, query, ...rest) {
    texts.push(query.sql)
    return executeQuery.call(this, query, ...rest)
  }
  onTestFinished(() => {
    executor.executeQuery = executeQuery
  })
  return texts
}

export const journalFile = (home: string) => join(home, 'journal', 'journal.db')

/** Runs statements on the journal of a home; nothing of paydesk sees them. */
export function tamper(home: string, statements: string): void {
  const database = new DatabaseSync(journalFile(home))
  try {
    database.exec(`pragma foreign_keys = off; ${statements}`)
  } finally {
    database.close()
  }
}

/** One value of the journal. */
export function valueIn(home: string, query: string): unknown {
  const database = new DatabaseSync(journalFile(home))
  try {
    return Object.values(database.prepare(query).get() ?? {})[0]
  } finally {
    database.close()
  }
}

const plain: Intent = {
  journalId: 'j-1',
  operation: 'payout.create',
  profile: 'acme',
  environment: 'live',
  service: 'https://service.example',
  serviceId: 'https://service.example',
  clientId: 'c',
  uniqueId: 'id',
  idempotencyKey: null,
  body: '{}',
  bodyDigest: 'd',
  payee: 'p',
  amountMinor: null,
  currency: null,
  state: 'unknown',
  transactionId: null,
  status: null,
  statusDescription: null,
  createdAt: null,
  answer: null,
  because: null,
  operatorWord: null,
  openedAt: '2026-11-20T06:00:00.000Z',
  changedAt: '2026-11-20T06:00:01.000Z',
  holder: null,
  leaseUntil: null,
  heldUntilSteady: null,
  sumConfirmed: null,
  otherSum: null,
  disputed: null,
  answeredSum: null,
  isTaken: false,
  removedAt: null,
}

export function intent(members: Partial<Intent>): Intent {
  return { ...plain, ...members }
}
