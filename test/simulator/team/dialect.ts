/** The way of one process to the server of its team, as kysely drives it. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { withoutFlush } from '../../../src/lib/store/postgres/store.ts'
import { databaseTime, type OwnRow } from '../../../src/lib/store/postgres/transaction.ts'
import { commitFunction } from '../../../src/lib/store/team/commit.ts'
import { commitOnServer } from './commit.ts'
import { lost, type Session, type SimulatedServer } from './server.ts'

/** The fate of a connection around a commit, or before it. */
export type Trouble =
  | 'none'
  | 'before'
  | 'middle'
  | 'unheard'
  | 'unanswered'
  | 'late'
  | 'late-for-nothing'
  | 'crash'
  /** A crash before anything of it was on the disk. */
  | 'forgotten'

/** The process at the end of a way. */
export interface Traveller {
  readonly name: string
  /** A moment in which others have their turn; the process may be stopped in it, or end. */
  pause(): Promise<void>
  /** True if it may be stopped for longer than the server waits. */
  readonly isDrowsy: boolean
  trouble(): Trouble
  /** A whole number in [0, below), of chance. */
  below(below: number): number
  /** Its transaction stands, whether it hears of that or not. */
  hasCommitted(): void
}

/** Milliseconds for which a lock is waited for, and after which one that sleeps with it loses it. */
export const patience = 60_000

/** A server that is never restored: it is the same one at every look. */
const own = {
  schema: 1,
  store: '1',
  system: '1',
  timeline: '1',
  present_system: '1',
  present_timeline: '1',
  fsync: 'on',
  synchronous: 'on',
}

class Connection implements DatabaseConnection {
  readonly session: Session
  mode: 'none' | 'reads' | 'writes' = 'none'
  trouble: Trouble = 'none'
  readonly #server: SimulatedServer
  readonly #traveller: Traveller

  constructor(server: SimulatedServer, traveller: Traveller) {
    this.#server = server
    this.#traveller = traveller
    this.session = server.connect(traveller.name)
  }

  mustStand(): void {
    if (this.session.isLost) throw lost()
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.mustStand()
    return this.#execute(query)
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const told = await this.#ofPostgres(query)
    if (told) return { rows: told as Row[] }
    if (query.sql.startsWith(`select ${commitFunction}(`)) return { rows: [{ done: await this.#call(query) }] as Row[] }
    if (this.mode === 'none') return this.#alone(query)
    if (this.mode === 'writes' && !this.session.isOpen) throw new Error(`before the lock: ${query.sql}`)
    if (this.session.left === 0) {
      this.#server.lose(this.session)
      throw lost()
    }
    if (this.session.left !== null) this.session.left -= 1
    return this.#ran(query)
  }

  #ran<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    // The values stand in the order of their numbers.
    const { rows, changes } = this.#server.run({ sql: sql.replaceAll(/\$\d+/g, '?'), parameters })
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
  }

  /** A statement that is a transaction of its own. Its answer may be lost. */
  async #alone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const trouble = this.#traveller.trouble()
    await this.#traveller.pause()
    if (trouble === 'before') throw this.#cut()
    await this.#server.lock(this.session, patience)
    const result = this.#ran<Row>(query)
    this.#server.end(this.session, 'committed')
    if (trouble === 'unanswered') throw this.#cut()
    await this.#traveller.pause()
    this.mustStand()
    return result
  }

  /** The commit that the server decides on by itself. It may come there when its connection is gone. */
  async #call({ parameters: [known, request] }: CompiledQuery) {
    const [server, traveller, session] = [this.#server, this.#traveller, this.session]
    const call = () => commitOnServer(server, JSON.parse(String(known)), JSON.parse(String(request)))
    this.trouble = traveller.trouble()
    await traveller.pause()
    if (this.trouble === 'before') throw this.#cut()
    if (this.trouble === 'late' && traveller.below(2) === 0) {
      server.arrive(traveller.below(5_000), patience, () => {
        const stands = call() !== null
        if (stands) traveller.hasCommitted()
        return stands
      })
      throw this.#cut()
    }
    await server.lock(session, patience)
    server.begin(session, this.trouble.startsWith('late'))
    if (this.trouble === 'middle') throw this.#cut()
    try {
      const done = call()
      if (done === null) server.end(session, 'aborted')
      else await this.commit()
      return done
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  #cut(): Error {
    this.#server.lose(this.session)
    return lost()
  }

  /** Null where SQLite understands it, too. */
  async #ofPostgres({ sql, parameters }: CompiledQuery): Promise<readonly unknown[] | null> {
    if (sql.startsWith(`select ${databaseTime} as time`)) return this.#time()
    if (sql.endsWith('from paydesk_store for update')) return this.#locked()
    // What is not flushed is lost by no crash here: it waits for the others as every transaction does.
    if (sql === withoutFlush.sql) return this.#locked()
    // It counts by itself.
    if (sql.startsWith('update paydesk_store set commits')) return []
    // It keeps no marks: the one that it knows is the one that stands here.
    if (sql.startsWith('with recursive followed')) {
      return [{ followed: parameters[0] === parameters[1], links: null, hash: null }]
    }
    return null
  }

  async #time() {
    await this.#traveller.pause()
    this.mustStand()
    const { time } = this.#server
    await this.#traveller.pause()
    this.mustStand()
    return [{ time }]
  }

  async #locked() {
    // Asked once more in one transaction, because the first answer took so long that its time says little.
    if (this.session.isOpen) return [this.#row]
    await this.#server.lock(this.session, patience)
    // It may be stopped with the lock in its hand, and the server ends it then.
    this.#server.begin(this.session, this.trouble.startsWith('late'))
    if (this.#traveller.isDrowsy) this.#server.endIdle(this.session, patience)
    await this.#traveller.pause()
    this.mustStand()
    return [this.#row]
  }

  get #row(): OwnRow {
    return { ...own, commits: this.#server.commits }
  }

  async begin(reads: boolean): Promise<void> {
    this.trouble = this.#traveller.trouble()
    await this.#traveller.pause()
    if (this.trouble === 'before') throw this.#cut()
    this.mustStand()
    this.mode = reads ? 'reads' : 'writes'
    if (reads) await this.#server.lock(this.session, patience)
    else if (this.trouble === 'middle') this.session.left = this.#traveller.below(16)
  }

  async commit(): Promise<void> {
    this.mustStand()
    const [server, traveller, session] = [this.#server, this.#traveller, this.session]
    if (this.mode === 'reads') return server.end(session, 'committed')
    if (this.trouble === 'late' || this.trouble === 'late-for-nothing') {
      const how = this.trouble === 'late' ? 'committed' : 'aborted'
      if (how === 'committed') traveller.hasCommitted()
      server.linger(session, 1 + traveller.below(5_000), how)
      throw lost()
    }
    if (this.trouble === 'unheard') throw this.#cut()
    if (this.trouble === 'forgotten') {
      server.forget(session, traveller.below(20_000))
      throw lost()
    }
    server.end(session, 'committed')
    traveller.hasCommitted()
    if (this.trouble === 'crash') server.crash(traveller.below(traveller.below(4) === 0 ? 4 * patience : 20_000))
    if (this.trouble === 'unanswered') throw this.#cut()
    await traveller.pause()
    this.mustStand()
  }

  rollback(): void {
    // The server hears nothing over a connection that is gone.
    if (!this.session.isLost) this.#server.end(this.session, 'aborted')
  }

  /** Kysely demands it; nothing here streams. */
  streamQuery(): never {
    throw new Error('streaming is not offered')
  }
}

class WayToServer implements Driver {
  readonly #server: SimulatedServer
  readonly #traveller: Traveller

  constructor(server: SimulatedServer, traveller: Traveller) {
    this.#server = server
    this.#traveller = traveller
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#server, this.#traveller)
  }

  beginTransaction(connection: Connection, { accessMode }: TransactionSettings): Promise<void> {
    return connection.begin(accessMode === 'read only')
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.commit()
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    connection.rollback()
  }

  async releaseConnection(connection: Connection): Promise<void> {
    this.#server.disconnect(connection.session)
  }

  async destroy(): Promise<void> {}
}

export function parseConnection(server: SimulatedServer, traveller: Traveller): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new WayToServer(server, traveller),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
