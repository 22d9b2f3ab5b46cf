/**
 * The Postgres server of a simulated team, as its stores see one: transactions wait for each other, a commit has a
 * number and an end of its own, whoever heard of it, connections are lost, and a crash undoes what was not committed.
 */
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import { createLinks } from '../../../src/lib/store/chain/chain.ts'
import type { AttemptRow, IntentRow } from '../../../src/lib/store/journal/schema.ts'
import { writerTable } from '../../../src/lib/store/postgres/transaction.ts'
import { teamSchema } from '../../../src/lib/store/team/schema.ts'
import type { Timeline } from '../timeline.ts'

type SqlValue = null | number | bigint | string | Uint8Array

/** A statement as SQLite takes it. */
interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

interface Answer {
  readonly rows: unknown[]
  readonly changes: number
}

export interface Committed {
  readonly intents: readonly IntentRow[]
  readonly attempts: readonly AttemptRow[]
}

interface Waiting {
  readonly session: Session
  readonly give: () => void
  readonly refuse: (error: Error) => void
}

/** A connection of one process, in a transaction or not. */
export class Session {
  /** The process at its other end. */
  readonly owner: string
  isLost = false
  /** True while it has a transaction that writes. */
  isOpen = false
  /** Transactions that it has begun. */
  begun = 0
  /** Statements until it is lost; null where it is not. */
  left: number | null = null

  constructor(owner: string) {
    this.owner = owner
  }
}

/** As the driver tells it: nothing says what became of what was under way. */
export function lost(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
}

function overdue(): Error {
  return Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
}

/** The queue of the fleet: a hint, which may be wrong (queue.ts). */
const jobs = `create table jobs (id integer primary key, plan_id text not null, chunk integer not null, state text not null,
  taken_at integer)`

export class SimulatedServer {
  readonly #timeline: Timeline
  readonly #database = new DatabaseSync(':memory:')
  readonly #prepared = new Map<string, { readonly statement: StatementSyncInstance; readonly returnsRows: boolean }>()
  readonly #sessions = new Set<Session>()
  #holder: Session | null = null
  #waiting: Waiting[] = []
  /** Transactions that were committed, as the store counts them. */
  commits = 0
  #awayUntil = 0
  /** What was committed before the transaction that is under way, where that lingers. */
  #before: Committed | null = null

  private constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  static async of(timeline: Timeline): Promise<SimulatedServer> {
    const server = new SimulatedServer(timeline)
    // The same columns on both engines, but for how their texts are compared.
    for (const statement of [...teamSchema.tables, createLinks, writerTable]) {
      // Functions are Postgres' own.
      if (statement.startsWith('create ')) server.#database.exec(statement.replaceAll(' collate "C"', ''))
    }
    server.#database.exec(jobs)
    return server
  }

  /** The time of its clock, in milliseconds since 1970. */
  get time(): number {
    return Math.floor(this.#timeline.now())
  }

  connect(owner: string): Session {
    if (this.#awayUntil > this.#timeline.now()) {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    }
    const session = new Session(owner)
    this.#sessions.add(session)
    return session
  }

  disconnect(session: Session): void {
    // One that is gone already may still have a commit under way.
    if (!session.isLost) this.lose(session)
    this.#sessions.delete(session)
  }

  /** Alone from here on: whoever has it ends first. */
  async lock(session: Session, patience: number): Promise<void> {
    if (this.#holder !== null) await this.#turn(session, patience)
    this.#holder = session
    if (session.isLost) {
      this.#free()
      throw lost()
    }
  }

  #turn(session: Session, patience: number): Promise<void> {
    return new Promise((give, refuse) => {
      const waiting = { session, give, refuse }
      this.#waiting.push(waiting)
      void this.#timeline.sleep(patience).then(() => {
        if (!this.#waiting.includes(waiting)) return
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        refuse(overdue())
      })
    })
  }

  /** Begins a transaction that writes, in a session that has the lock. `lingers`: it will not end at once when it has written. */
  begin(session: Session, lingers: boolean): void {
    if (lingers) this.#before = this.#look()
    this.#database.exec('begin immediate')
    session.isOpen = true
    session.begun += 1
  }

  run({ sql, parameters }: Statement): Answer {
    const known = this.#prepared.get(sql)
    const statement = known?.statement ?? this.#database.prepare(sql)
    const returnsRows = known?.returnsRows ?? statement.columns().length > 0
    this.#prepared.set(sql, { statement, returnsRows })
    const values = parameters as SqlValue[]
    if (returnsRows) return { rows: statement.all(...values), changes: 0 }
    return { rows: [], changes: Number(statement.run(...values).changes) }
  }

  /** Ends the transaction of a session, and gives its lock to the next. */
  end(session: Session, how: 'committed' | 'aborted'): void {
    if (this.#holder !== session) return
    if (session.isOpen) {
      this.#database.exec(how === 'committed' ? 'commit' : 'rollback')
      if (how === 'committed') this.commits += 1
      session.isOpen = false
    }
    this.#free()
  }

  #free(): void {
    this.#before = null
    this.#holder = null
    const next = this.#waiting.shift()
    if (!next) return
    this.#holder = next.session
    next.give()
  }

  /** The connection is gone, and with it what was not asked to commit. */
  lose(session: Session): void {
    session.isLost = true
    this.end(session, 'aborted')
  }

  /** The connection is gone after the commit was asked for: it ends so much later, one way or the other. */
  linger(session: Session, milliseconds: number, how: 'committed' | 'aborted'): void {
    session.isLost = true
    this.#sessions.delete(session)
    void this.#timeline.sleep(milliseconds).then(() => this.end(session, how))
  }

  /** A call comes to the server so much later, when nobody waits for its answer: it is carried out all the same. True: it stands. */
  arrive(milliseconds: number, patience: number, call: () => boolean): void {
    const arrived = async () => {
      await this.#timeline.sleep(milliseconds)
      const session = this.connect('nobody')
      await this.lock(session, patience)
      this.begin(session, false)
      try {
        this.end(session, call() ? 'committed' : 'aborted')
      } finally {
        this.disconnect(session)
      }
    }
    // The server is away, or refuses it: nobody hears of that.
    void arrived().catch(() => undefined)
  }

  /** Ends the transaction of a session if it is still the same so much later. */
  endIdle(session: Session, milliseconds: number): void {
    const { begun } = session
    void this.#timeline.sleep(milliseconds).then(() => {
      if (session.isOpen && session.begun === begun) this.lose(session)
    })
  }

  /** A process is gone, and its connections with it. */
  gone(owner: string): void {
    for (const session of [...this.#sessions].filter((each) => each.owner === owner)) this.disconnect(session)
  }

  /** Its processes are killed; it is there again so many milliseconds later. */
  crash(milliseconds: number): void {
    this.#awayUntil = this.#timeline.now() + milliseconds
    const refused = this.#waiting
    this.#waiting = []
    for (const { refuse } of refused) refuse(lost())
    for (const session of [...this.#sessions]) this.disconnect(session)
    if (this.#holder) this.end(this.#holder, 'aborted')
  }

  /** As a crash, before anything of a session's transaction was on the disk. */
  forget(session: Session, milliseconds: number): void {
    this.end(session, 'aborted')
    this.crash(milliseconds)
  }

  /** What is committed, as anybody else would see it now. */
  get committed(): Committed {
    return this.#before ?? this.#look()
  }

  #look(): Committed {
    const all = (sql: string) => this.run({ sql, parameters: [] }).rows
    return {
      intents: all('select * from intents order by opened_at desc, id desc') as IntentRow[],
      attempts: all('select * from attempts order by intent_id, number') as AttemptRow[],
    }
  }

  close(): void {
    this.#database.close()
  }
}
