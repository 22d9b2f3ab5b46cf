/** The conditions under which a Postgres server may keep a store: a commit that it confirms must be there after any crash. */
import { CompiledQuery, type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { Failure, FailureBeforeSending } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'

/** The worth of a commit that the server confirms. An administrator may change it while sessions are open. */
export interface ServerKeeping {
  readonly fsync: string
  readonly synchronous: string
}

/** Its columns. */
export const keeping = "current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous"

interface Standing extends ServerKeeping {
  readonly version: number
  readonly standby: boolean
}

type Objection = readonly [why: string, advice: string] | null

const oldest = 140_000

function objection({ version, standby, ...keeps }: Standing): Objection {
  if (version < oldest) return [`is Postgres ${Math.floor(version / 10_000)}`, 'Postgres 14 or newer is needed.']
  if (standby) return ['is a standby, which only repeats another server', 'Name the primary.']
  return losing(keeps)
}

function losing({ fsync, synchronous }: ServerKeeping): Objection {
  if (fsync !== 'on') return ['may lose commits (fsync is off)', 'Turn fsync on.']
  if (synchronous === 'off') {
    return ['may lose commits (synchronous_commit is off)', 'Turn synchronous_commit on, for this database at least.']
  }
  return null
}

/** Throws usage (2) for a server that may not keep it. */
export async function mustKeep<Tables>(db: Kysely<Tables>, title: string, place: string): Promise<void> {
  const { rows } = await sql<Standing>`
    select current_setting('server_version_num')::integer as version, ${sql.raw(keeping)}, pg_is_in_recovery() as standby
  `.execute(db)
  const [standing] = rows
  const found = standing ? objection(standing) : (['says nothing of itself', 'Is it Postgres?'] as const)
  if (!found) return
  const [why, advice] = found
  throw new Failure('usage', `the server of ${title} ${place} ${why}`, { hints: [hint`${advice}`] })
}

/** Throws `unsent` (11) for a connection that was made since, and may lose what it commits. */
export async function mustKeepStill(client: Pick<PoolClient, 'query'>, title: string, place: string): Promise<void> {
  const { rows } = await client.query<ServerKeeping>(`select ${keeping}`)
  const [own] = rows
  const doubt = own ? durabilityFailure(own, title, place) : null
  if (doubt) throw doubt
}

/** The failure, `unsent` (11), of a session that may lose what it commits by now: nothing is written by it. Null while it keeps. */
export function durabilityFailure(own: ServerKeeping, title: string, place: string): Failure | null {
  const found = losing(own)
  if (!found) return null
  const [why, advice] = found
  const words = `nothing is written any more to ${title} ${place}: its server ${why}`
  return new FailureBeforeSending('unsent', words, { hints: [hint`${advice}`] })
}

export interface KnownServer {
  /** The identifier of the database system, and its timeline: another one begins with each promotion or recovery. */
  readonly system: string
  readonly timeline: string
  readonly present_system: string
  readonly present_timeline: string
}

/** The system and the timeline that answer now, as SQL. */
export const presentServer = {
  system: '(select system_identifier::text from pg_control_system())',
  timeline: 'left(pg_walfile_name(pg_current_wal_lsn()), 8)',
} as const

/** The columns of the store's own row and of its server, as SQL. */
export const knownServer = `system, timeline, ${presentServer.system} as present_system, ${presentServer.timeline} as present_timeline`

/** A store that may lack something. `what`: how that is seen, after its name. */
export function mayLack(title: string, place: string, what: string): Failure {
  return new Failure('locked', `${title} ${place} ${what}; what was paid last may be missing in it`, {
    // It may have been sent, and the store that knew of it be gone.
    moneyMoved: 'unknown',
    hints: [
      hint`Nothing is written until an administrator confirms: compare the service's payments since then, enter missing ones, then run \`${paste('team confirm', '--because', blank('"…"'))}\`.`,
    ],
  })
}

/** The reason (12) against a store that is on another server than it was; null for none. */
export function serverDoubt(found: KnownServer, title: string, place: string): Failure | null {
  const { system, timeline, present_system, present_timeline } = found
  if (system === present_system && timeline === present_timeline) return null
  const what =
    system === present_system
      ? `a promoted or recovered server (timeline ${present_timeline}, it was ${timeline})`
      : `another server (system ${present_system}, it was ${system})`
  return mayLack(title, place, `is on ${what}`)
}

export interface ConfirmedServer {
  /** False where there was nothing to confirm: nothing was changed. */
  readonly isNew: boolean
  readonly system: string
  readonly timeline: string
  readonly because: string
}

type Server = Pick<ConfirmedServer, 'system' | 'timeline'>

async function rowOf<Row>(db: QueryExecutorProvider, text: string, values: readonly unknown[] = []): Promise<Row> {
  const [row] = (await db.getExecutor().executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
  if (!row) throw new Error('the server gives no row')
  return row
}

export function serverNow(db: QueryExecutorProvider): Promise<Server> {
  return rowOf<Server>(db, `select ${presentServer.system} as system, ${presentServer.timeline} as timeline`)
}

/**
 * `before`: the ids that it is known by. All marks begin anew with the new id, and whoever knows one of those goes on with it. In the
 * transaction that has locked the store's own row. Gives the new id.
 */
export async function confirmStore(
  db: QueryExecutorProvider,
  because: string,
  before: readonly string[],
): Promise<string> {
  const { store } = await rowOf<{ store: string }>(
    db,
    `with own as (update paydesk_store set system = ${presentServer.system}, timeline = ${presentServer.timeline},
        store = gen_random_uuid()::text returning system, timeline, store)
      insert into paydesk_confirmed (at, by, system, timeline, because, store, before)
        select clock_timestamp(), current_user, system, timeline, $1, store, $2::text[] from own returning store`,
    [because, before],
  )
  return store
}
