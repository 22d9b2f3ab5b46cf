/**
 * The queue of a fleet: pg-boss, over the connections of the team's store. It is a hint: a chunk may come twice or never, and what
 * became of its rows stands in the journal alone.
 */

import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import PgBoss from 'pg-boss'
import { z } from 'zod'
import { queueSchema } from '../postgres/rights.ts'
import type { TeamStore } from '../postgres/store.ts'
import type { FleetTables } from './schema.ts'

/** So many rows of a plan, by their place in it. */
export interface Chunk {
  readonly planId: string
  readonly chunk: number
}

export interface Job extends Chunk {
  readonly id: string
}

const chunkForm = z.object({ planId: z.string(), chunk: z.number().int() })

/** The lock of whoever makes the queue's tables; it ends with the transaction. */
const tablesLock = 7_090_211_021

/** Seconds after which a chunk in work may be taken by another worker: far more than its rows need. */
const inWorkAtMost = 15 * 60

/** Times that a chunk is given back and taken again: the sweep would add it anew in any case. */
const mostReturns = 1000

function executor(db: QueryExecutorProvider): PgBoss.Db {
  return {
    async executeSql(text, values) {
      const { rows } = await db.getExecutor().executeQuery(CompiledQuery.raw(text, values))
      return { rows: [...rows] }
    },
  }
}

/** The queue's own tables stand in a schema beside the store's. */
async function schemaBeside(store: TeamStore<FleetTables>): Promise<string> {
  const query: CompiledQuery<{ readonly name: string }> = CompiledQuery.raw('select current_schema() as name')
  const { rows } = await store.ask((db) => db.executeQuery(query))
  return queueSchema(rows[0]?.name ?? 'public')
}

export class JobQueue {
  readonly #boss: PgBoss
  readonly #name: string

  private constructor(boss: PgBoss, name: string) {
    this.#boss = boss
    this.#name = name
  }

  /** `supervises`: this process gives back what others have had too long. */
  static async open(store: TeamStore<FleetTables>, name: string, supervises: boolean): Promise<JobQueue> {
    const boss = new PgBoss({
      db: { executeSql: (text, values) => store.ask((db) => executor(db).executeSql(text, values)) },
      schema: await schemaBeside(store),
      schedule: false,
      supervise: supervises,
    })
    // Its own housekeeping does not end a worker: the next round does it.
    boss.on('error', () => undefined)
    // Its tables are made by whoever comes first, and the others wait: for a lock of its own, because payments are recorded meanwhile.
    await store.note(async (db) => {
      await db.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${tablesLock})`))
      await boss.start()
      await boss.createQueue(name, { name, policy: 'short', expireInSeconds: inWorkAtMost, retryLimit: mostReturns })
    })
    return new JobQueue(boss, name)
  }

  get name(): string {
    return this.#name
  }

  /** Adds chunks in a transaction; one that waits already is not added twice. */
  async add(db: QueryExecutorProvider, chunks: readonly Chunk[]): Promise<void> {
    if (chunks.length === 0) return
    const jobs = chunks.map(({ planId, chunk }) => ({
      name: this.#name,
      data: { planId, chunk },
      singletonKey: chunkName({ planId, chunk }),
    }))
    await this.#boss.insert(jobs, { db: executor(db) })
  }

  /** The next one; null where none waits. */
  async take(): Promise<Job | null> {
    const [job] = await this.#boss.fetch(this.#name)
    if (!job) return null
    return { id: job.id, ...chunkForm.parse(job.data) }
  }

  async done({ id }: Job): Promise<void> {
    await this.#boss.complete(this.#name, id)
  }

  /** Another worker takes it. */
  async giveBack({ id }: Job): Promise<void> {
    await this.#boss.fail(this.#name, id)
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, wait: false, close: false })
  }
}

/** "b-3f9a1c2b7d10:4". */
export function chunkName({ planId, chunk }: Chunk): string {
  return `${planId}:${chunk}`
}
