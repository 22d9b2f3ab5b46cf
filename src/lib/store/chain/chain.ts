/**
 * The hash chain of a store. Each commit that changed a row under it adds a link in the same transaction: the names of these
 * rows and what they are now, with a hash over them and the hash of the link before. Triggers note what a commit changes. They
 * belong to the connection and not to the file, so that what another program writes has no link.
 */
import { createHash } from 'node:crypto'
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'

/** A table under the chain. */
export interface ChainedTable {
  readonly name: string
  /** The columns that name a row for ever: nothing personal, because the chain keeps them. */
  readonly key: readonly [string, ...string[]]
  /**
   * The columns whose values stand in the chain as they are, of rows that hold nothing personal. The others have a column
   * `digest` of their own values, and the chain has that.
   */
  readonly plain?: readonly [string, ...string[]]
}

/** The name of a row in the chain as SQL: "attempts:j-3f9a1c2b7d10/2". `alias` is the row's. */
export function chainedName({ name, key }: ChainedTable, alias: string): string {
  return `'${name}:' || ${key.map((column) => `${alias}.${column}`).join(` || '/' || `)}`
}

/** The content of a row in the chain as SQL. */
export function chainedContent({ plain }: ChainedTable, alias: string): string {
  return plain ? `json_array(${plain.map((column) => `${alias}.${column}`).join(', ')})` : `${alias}.digest`
}

function noteOf(table: ChainedTable, when: 'insert' | 'update' | 'delete'): string {
  const [alias, content] = when === 'delete' ? ['old', 'null'] : ['new', chainedContent(table, 'new')]
  return `create temp trigger ${table.name}_${when} after ${when} on main.${table.name} begin
    insert into changed_rows values (${chainedName(table, alias)}, ${content}); end`
}

/** Statements that make a connection note what it changes. */
export function notingChanges(tables: readonly ChainedTable[]): string {
  const events = ['insert', 'update', 'delete'] as const
  const triggers = tables.flatMap((table) => events.map((when) => noteOf(table, when)))
  return ['create temp table changed_rows (name text, content text)', ...triggers].join(';\n')
}

/** The end of a chain: how many links it has, and the hash of the last one (64 hex digits). */
export interface ChainHead {
  readonly links: number
  readonly hash: string
}

export interface Link {
  readonly number: number
  readonly hash: string
  /** 1 if it covers rows that a migration has written anew. */
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

/** The links of a chain. */
export const createLinks =
  'create table links (number integer primary key, hash text not null, seals integer not null, changes text not null)'

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
