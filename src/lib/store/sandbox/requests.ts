/** The sandbox's queries of what it was asked. */
import { sql } from 'kysely'
import { addRows, holds, type NewRow, type Words } from './rows.ts'
import type { Row, SandboxReader, SandboxWriter } from './schema.ts'

export interface RequestFilter {
  readonly operation?: string
  readonly code?: number
  /** One of these. */
  readonly operations?: readonly string[]
  /** Those that were refused, or that nobody answered whole though no fault had struck. */
  readonly wrong?: boolean
  /** Those that a fault struck. */
  readonly struck?: boolean
  /** The beginning of a verdict that is a refusal, though none of its answer. */
  readonly refusal?: string
  /** Words that stand somewhere in it: an id, an amount, a name. */
  readonly words?: Words
  /** Only those after this one. */
  readonly after?: number
  readonly limit: number
}

function wrong(refusal: string) {
  const unanswered = sql`(fault is null and (http is null or http >= 400))`
  return sql<boolean>`(code is not null or ${unanswered} or (${refusal} <> '' and instr(verdict, ${refusal}) = 1))`
}

/** The newest first. */
export async function listRequests(db: SandboxReader, filter: RequestFilter): Promise<Row<'requests'>[]> {
  const { operation, code, operations, words = [], after, limit } = filter
  let query = db.selectFrom('requests').selectAll()
  if (operation !== undefined) query = query.where('operation', '=', operation)
  if (code !== undefined) query = query.where('code', '=', code)
  if (operations !== undefined) query = query.where('operation', 'in', operations)
  if (filter.struck) query = query.where('fault', 'is not', null)
  if (filter.wrong) query = query.where(wrong(filter.refusal ?? ''))
  if (after !== undefined) query = query.where('request_id', '>', after)
  return await query.where(holds('requests', words)).orderBy('request_id', 'desc').limit(limit).execute()
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

/** SQLite takes so many parameters in one statement that this is safe, whatever was compiled in. */
const atOnce = 50

/** Adds requests in their order, and lets go of all but the newest. */
export async function addRequests(
  db: SandboxWriter,
  requests: readonly NewRow<'requests'>[],
  keep: number,
): Promise<void> {
  let newest = 0
  for (let from = 0; from < requests.length; from += atOnce) {
    const added = await addRows(db, 'requests', requests.slice(from, from + atOnce))
    newest = added.at(-1)?.request_id ?? newest
  }
  if (newest <= keep) return
  await db
    .deleteFrom('requests')
    .where('request_id', '<=', newest - keep)
    .execute()
}
