/**
 * A copy of the service that lags behind it: what it answers to a read was true a moment ago, before the last write.
 */
import { sql } from 'kysely'
import type { HttpAnswer, HttpRequest } from '../../src/lib/http/message.ts'
import { createSandbox, type Sandbox } from '../../src/lib/sandbox/sandbox.ts'
import { type SandboxTables, sandboxSchema } from '../../src/lib/store/sandbox/schema.ts'
import { memoryStore } from '../kit/store.ts'
import { readBack } from './forger.ts'
import { operationOf, type World } from './world.ts'

const minute = 60_000

/** Milliseconds that a copy stays what it was, for a thing that nobody has read since, and for one that was shown as it is now. */
const longestLag = 2 * minute
const longestOfShown = 40 * minute

async function copyOf({ service, timeline, fate }: World): Promise<Sandbox> {
  const store = await memoryStore<SandboxTables>(sandboxSchema)
  const tables = await service.ask((db) =>
    sql<{ name: keyof SandboxTables & string }>`
      select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(db),
  )
  for (const { name } of tables.rows) {
    const { rows } = await service.ask((db) =>
      sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db),
    )
    await store.write(async (db) => {
      await sql`delete from ${sql.table(name)}`.execute(db)
      for (const row of rows) {
        const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
        await sql`insert into ${sql.table(name)} (${columns}) values (${sql.join(Object.values(row))})`.execute(db)
      }
    })
  }
  return await createSandbox(store, timeline, fate.random())
}

export class LaggingCopy {
  readonly #world: World
  #copy: Sandbox | null = null
  /** Things that a machine has heard of since the copy was made, and since the last write about them. */
  readonly #shown = new Set<string>()
  #made = 0

  constructor(world: World) {
    this.#world = world
  }

  /** A write is about to reach the service: the copy may not hear of it for a while. */
  async before(request: HttpRequest): Promise<void> {
    const { fate, timeline } = this.#world
    if (!this.#world.isPlayed('lagging-copy')) return
    const about = await idIn(this.#world, request)
    for (const each of [...this.#shown]) if (each.endsWith(about)) this.#shown.delete(each)
    if (!this.#world.strikes('lagging-copy') || !fate.chance(0.4) || this.#age < longestLag) return
    await this.#copy?.close()
    this.#shown.clear()
    this.#copy = await copyOf(this.#world)
    this.#made = timeline.now()
    this.#world.note('a copy of the service lags behind')
  }

  /** A machine has heard how a thing is now: however long the copy lags, it must not be deceived about that any more. */
  async heard(machine: string, request: HttpRequest): Promise<void> {
    if (this.#copy) this.#shown.add(`${machine} ${await idIn(this.#world, request)}`)
  }

  /** What it answers to a read of a machine; null where the service itself answers. */
  async read(machine: string, request: HttpRequest): Promise<HttpAnswer | null> {
    const { fate, puzzled } = this.#world
    if (!this.#copy || this.#age >= longestOfShown) return null
    const about = await idIn(this.#world, request)
    const isLong = this.#shown.has(`${machine} ${about}`) && this.#age >= longestLag
    const isPlayed = isLong || (this.#world.strikes('lagging-copy') && this.#age < longestLag)
    if (!isPlayed || !fate.chance(0.5)) return null
    const answer = await this.#copy.answer(request)
    // It knows no token that was given since.
    if (answer.status === 401) return null
    // What was shown, and is not any more, waits for the operator.
    if (isLong) puzzled.add(about)
    this.#world.note(`the copy answers ${machine}${isLong ? ', long behind' : ''}`)
    return answer
  }

  get #age(): number {
    return this.#copy ? this.#world.timeline.now() - this.#made : Number.POSITIVE_INFINITY
  }

  async close(): Promise<void> {
    await this.#copy?.close()
  }
}

/** The id of the thing that a request is about. */
async function idIn(world: World, request: HttpRequest): Promise<string> {
  const operation = operationOf(request)
  const { uniqueId, integratorOrderId } = operation ? await readBack(world, operation, request) : {}
  return String(integratorOrderId ?? uniqueId ?? request.query)
}
