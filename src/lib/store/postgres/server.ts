/** The conditions under which a Postgres server may keep a store: a commit that it confirms must be there after any crash. */
import { type Kysely, sql } from 'kysely'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'

interface Standing {
  readonly version: number
  readonly fsync: string
  readonly synchronous: string
  readonly standby: boolean
}

const oldest = 140_000

function objection({ version, fsync, synchronous, standby }: Standing): readonly [why: string, advice: string] | null {
  if (version < oldest) return [`is Postgres ${Math.floor(version / 10_000)}`, 'Postgres 14 or newer is needed.']
  if (standby) return ['is a standby, which only repeats another server', 'Name the primary.']
  if (fsync !== 'on') return ['may lose commits (fsync is off)', 'Turn fsync on.']
  if (synchronous === 'off') {
    return ['may lose commits (synchronous_commit is off)', 'Turn synchronous_commit on, for this database at least.']
  }
  return null
}

/** Throws usage (2) for a server that may not keep it. */
export async function mustKeep<Tables>(db: Kysely<Tables>, title: string, place: string): Promise<void> {
  const { rows } = await sql<Standing>`
    select current_setting('server_version_num')::integer as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous, pg_is_in_recovery() as standby
  `.execute(db)
  const [standing] = rows
  const found = standing ? objection(standing) : (['says nothing of itself', 'Is it Postgres?'] as const)
  if (!found) return
  const [why, advice] = found
  throw new Failure('usage', `the server of ${title} ${place} ${why}`, { hints: [hint`${advice}`] })
}
