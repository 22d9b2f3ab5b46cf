/** The sandbox's queries of what it was asked. */
import { sql } from 'kysely'
import type { KeptRequest, NewRequest } from './schema/requests.ts'
import type { SandboxReader, SandboxWriter } from './schema/schema.ts'
import { holds, type Words } from './search.ts'

/** SQLite takes so many parameters in one statement that this is safe, whatever was compiled in. */
const atOnce = 50

/** Adds requests in their order, and lets go of all but the newest. */
export async function addRequests(db: SandboxWriter, requests: readonly NewRequest[], keep: number): Promise<void> {
  let newest = 0
  for (let from = 0; from < requests.length; from += atOnce) {
    const { insertId } = await db
      .insertInto('requests')
      .values(requests.slice(from, from + atOnce))
      .executeTakeFirstOrThrow()
    newest = Number(insertId)
  }
  if (newest <= keep) return
  await db
    .deleteFrom('requests')
    .where('request_id', '<=', newest - keep)
    .execute()
}

export interface RequestFilter {
  readonly operation?: string
  readonly code?: number
  /** Words that stand somewhere in it: an id, an amount, a name. */
  readonly words?: Words
  /** Only those after this one. */
  readonly after?: number
  readonly limit: number
}

/** The newest first. */
export async function listRequests(db: SandboxReader, filter: RequestFilter): Promise<KeptRequest[]> {
  const { operation, code, words = [], after, limit } = filter
  let query = db.selectFrom('requests').selectAll()
  if (operation !== undefined) query = query.where('operation', '=', operation)
  if (code !== undefined) query = query.where('code', '=', code)
  if (after !== undefined) query = query.where('request_id', '>', after)
  return await query.where(holds('requests', words)).orderBy('request_id', 'desc').limit(limit).execute()
}

export async function findRequest(db: SandboxReader, id: number): Promise<KeptRequest | null> {
  return (await db.selectFrom('requests').selectAll().where('request_id', '=', id).executeTakeFirst()) ?? null
}

/**
 * Another text whenever anything in the store has changed: the first number counts what other connections committed, of
 * this process or another, the second what this one changed.
 */
export async function changeMark(db: SandboxReader): Promise<string> {
  const version = await sql<{ data_version: number }>`pragma data_version`.execute(db)
  const changes = await sql<{ changes: number }>`select total_changes() as changes`.execute(db)
  return `${version.rows[0]?.data_version} ${changes.rows[0]?.changes}`
}
