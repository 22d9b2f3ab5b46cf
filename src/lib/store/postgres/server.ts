/** The conditions under which a Postgres server may keep a store: a commit that it confirms must be there after any crash. */
import { type Kysely, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { Failure } from '../../failure.ts'
import { FailureBeforeSending } from '../../failure-before-sending.ts'
import { hint } from '../../hint.ts'

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
  const doubt = own ? keepingDoubt(own, title, place) : null
  if (doubt) throw doubt
}

/** The failure, `unsent` (11), of a session that may lose what it commits by now: nothing is written by it. Null while it keeps. */
export function keepingDoubt(own: ServerKeeping, title: string, place: string): Failure | null {
  const found = losing(own)
  if (!found) return null
  const [why, advice] = found
  const words = `${title} ${place} is not written any more: its server ${why}`
  return new FailureBeforeSending('unsent', words, { hints: [hint`${advice}`] })
}
