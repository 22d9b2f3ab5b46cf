/**
 * The links of the hash chain: one for each commit that changed a row under it, written in the same transaction. A link holds
 * the names of these rows and what they are now, and its hash covers them and the hash of the link before.
 */
import { createHash } from 'node:crypto'
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'

/** The end of a chain: how many links it has, and the hash of the last one (64 hex digits). */
export interface ChainHead {
  readonly links: number
  readonly hash: string
}

export interface Link {
  readonly number: number
  readonly hash: string
  /** 1 if it covers rows that were there before the chain began. */
  readonly seals: number
  /** JSON object: the names of changed rows, and the content that each has now, mostly a digest; null for one that was removed. */
  readonly changes: string
}

/** The hash of a link's content and of the link before it. `before` is empty for the first. */
export function linkHash(before: string, { number, seals, changes }: Omit<Link, 'hash'>): string {
  return createHash('sha256')
    .update(JSON.stringify([before, number, seals, changes]))
    .digest('hex')
}

async function rowOf<Row>(db: QueryExecutorProvider, query: CompiledQuery<Row>): Promise<Row | undefined> {
  return (await db.getExecutor().executeQuery(query)).rows[0]
}

interface Newest {
  readonly number: number | null
  readonly hash: string
}

// SQLite gives the hash of the row that has the largest number.
const newestLink = 'select max(number) as number, hash from links'
// The same of every engine; of a chain without links it gives no row.
const newest: CompiledQuery<Newest> = CompiledQuery.raw('select number, hash from links order by number desc limit 1')

function headIn({ number = null, hash = '' }: Partial<Newest> = {}): ChainHead | null {
  return number === null ? null : { links: number, hash }
}

/** Null of a chain without links. */
export async function headOf(db: QueryExecutorProvider): Promise<ChainHead | null> {
  return headIn(await rowOf(db, newest))
}

/** Adds the link that follows on `head`. `changes` and `seals`: as of a link. */
export async function addLink(
  db: QueryExecutorProvider,
  head: ChainHead | null,
  changes: string,
  seals: 0 | 1 = 0,
): Promise<ChainHead> {
  const link = { number: (head?.links ?? 0) + 1, seals, changes }
  const hash = linkHash(head?.hash ?? '', link)
  await rowOf(db, CompiledQuery.raw('insert into links values (?, ?, ?, ?)', [link.number, hash, seals, changes]))
  return { links: link.number, hash }
}

// A row that was changed twice in a commit stands in its link as it was left.
const noted: CompiledQuery<Newest & Pick<Link, 'changes'>> = CompiledQuery.raw(
  `select number, hash, (
     select json_group_object(name, content)
     from (select name, content, max(rowid) from changed_rows group by name order by name)
   ) as changes from (${newestLink})`,
)
const forget: CompiledQuery<unknown> = CompiledQuery.raw('delete from changed_rows')

/** Adds the link of a transaction that is about to be committed; null where it has changed no row under the chain. */
export async function linkNoted(db: QueryExecutorProvider): Promise<ChainHead | null> {
  const found = await rowOf(db, noted)
  if (!found || found.changes === '{}') return null
  await rowOf(db, forget)
  return addLink(db, headIn(found), found.changes)
}
