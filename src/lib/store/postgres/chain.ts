/**
 * The hash chain on Postgres (src/lib/store/chain): triggers note what a transaction of a store changes, and its last statement
 * links that. They note only where the transaction says that it is a store's: what another program writes has no link.
 */
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import { type ChainedTable, chainedName } from '../chain/chained.ts'
import { type ChainHead, type Link, linkHash } from '../chain/link.ts'

/** The setting of a transaction whose changes are noted. */
export const notingSetting = 'paydesk.notingSetting'

/** The content of a row in the chain as SQL. */
export function contentOnServer({ plain }: ChainedTable, alias: string): string {
  return plain ? `json_build_array(${plain.map((column) => `${alias}.${column}`).join(', ')})::text` : `${alias}.digest`
}

function notingTrigger(table: ChainedTable): string {
  const note = (alias: 'old' | 'new', content: string) =>
    `insert into changed_rows (name, content) values (${chainedName(table, alias)}, ${content})`
  return `
    create function note_${table.name}() returns trigger language plpgsql as $note$
    begin
      if current_setting('${notingSetting}', true) is distinct from 'on' then return null; end if;
      if tg_op = 'DELETE' then ${note('old', 'null')}; else ${note('new', contentOnServer(table, 'new'))}; end if;
      return null;
    end $note$;
    create trigger note_changes after insert or update or delete on ${table.name}
      for each row execute function note_${table.name}()`
}

/** Statements that make room for the links, and the triggers of these tables. */
export function chainOn(tables: readonly ChainedTable[]): readonly string[] {
  return [
    'create table links (number integer primary key, hash text not null, seals integer not null, changes text not null)',
    // Rows of it live no longer than their transaction, and no other ever sees them.
    'create unlogged table changed_rows (place bigint generated always as identity, name text, content text)',
    ...notingOn(tables),
  ]
}

/** Statements that put further tables under a chain that is there. */
export function notingOn(tables: readonly ChainedTable[]): readonly string[] {
  return tables.map(notingTrigger)
}

async function rowOf<Row>(db: QueryExecutorProvider, query: CompiledQuery<Row>): Promise<Row | undefined> {
  return (await db.getExecutor().executeQuery(query)).rows[0]
}

interface Newest {
  readonly number: number | null
  readonly hash: string | null
}

function headIn({ number = null, hash = null }: Partial<Newest> = {}): ChainHead | null {
  return number === null || hash === null ? null : { links: number, hash }
}

/** Null of a chain without links. */
export async function headOnServer(db: QueryExecutorProvider): Promise<ChainHead | null> {
  return headIn(
    await rowOf<Newest>(db, CompiledQuery.raw('select number, hash from links order by number desc limit 1')),
  )
}

// A row that was changed twice in a commit stands in its link as it was left.
const noted: CompiledQuery<Newest & { readonly changes: string | null }> = CompiledQuery.raw(`
  with newest as (select number, hash from links order by number desc limit 1),
    last as (select distinct on (name) name, content from changed_rows order by name, place desc),
    forgotten as (delete from changed_rows)
  select (select number from newest) as number, (select hash from newest) as hash,
    (select json_object_agg(name, content order by name)::text from last) as changes`)

/** Adds the link of a transaction that is about to be committed; null where it has changed no row under the chain. */
export async function linkOnServer(db: QueryExecutorProvider): Promise<ChainHead | null> {
  const found = await rowOf(db, noted)
  if (!found || found.changes === null) return null
  const head = headIn(found)
  const link: Omit<Link, 'hash'> = { number: (head?.links ?? 0) + 1, seals: 0, changes: found.changes }
  const hash = linkHash(head?.hash ?? '', link)
  await rowOf(db, CompiledQuery.raw('insert into links values ($1, $2, $3, $4)', [link.number, hash, 0, link.changes]))
  return { links: link.number, hash }
}
