/** The queue of a simulated fleet: chunks that come twice, late or never, as those of any queue may (src/lib/store/team/queue.ts). */
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import type { TeamStore } from '../../../src/lib/store/postgres/store.ts'
import type { Chunk, Job, JobQueue } from '../../../src/lib/store/team/queue.ts'
import type { FleetTables } from '../../../src/lib/store/team/schema.ts'
import type { Dice } from '../dice.ts'

type Row = { readonly id: number; readonly plan_id: string; readonly chunk: number }

/** Milliseconds after which a chunk in work may be taken by another worker. */
const inWorkAtMost = 15 * 60_000

async function ran<Found>(db: QueryExecutorProvider, text: string, values: readonly unknown[]): Promise<Found[]> {
  const query: CompiledQuery<Found> = CompiledQuery.raw(text, [...values])
  return (await db.getExecutor().executeQuery(query)).rows
}

export class LossyQueue implements Pick<JobQueue, 'name' | 'add' | 'take' | 'done' | 'giveBack' | 'close'> {
  readonly name: string
  readonly #store: TeamStore<FleetTables>
  readonly #fate: Dice
  /** True if it may be wrong now. */
  readonly #errs: () => boolean

  constructor(store: TeamStore<FleetTables>, name: string, fate: Dice, errs: () => boolean) {
    this.name = name
    this.#store = store
    this.#fate = fate
    this.#errs = errs
  }

  async add(db: QueryExecutorProvider, chunks: readonly Chunk[]): Promise<void> {
    for (const { planId, chunk } of chunks) {
      const times = this.#errs() ? this.#fate.pick([0, 1, 2]) : 1
      for (let time = 0; time < times; time += 1) {
        await ran(db, "insert into jobs (plan_id, chunk, state) values (?, ?, 'waits')", [planId, chunk])
      }
    }
  }

  async take(): Promise<Job | null> {
    const now = this.#store.clock.now()
    const state = this.#errs() && this.#fate.chance(0.3) ? 'waits' : 'taken'
    const [row] = await this.#store.ask((db) =>
      ran<Row>(
        db,
        `update jobs set state = ?, taken_at = ? where id = (select id from jobs
           where state = 'waits' or (state = 'taken' and taken_at < ?) order by id limit 1) returning id, plan_id, chunk`,
        [state, now, now - inWorkAtMost],
      ),
    )
    return row ? { id: String(row.id), planId: row.plan_id, chunk: row.chunk } : null
  }

  async done({ id }: Job): Promise<void> {
    await this.#store.ask((db) => ran(db, "update jobs set state = 'done' where id = ?", [id]))
  }

  async giveBack({ id }: Job): Promise<void> {
    await this.#store.ask((db) => ran(db, "update jobs set state = 'waits' where id = ?", [id]))
  }

  async close(): Promise<void> {}
}
