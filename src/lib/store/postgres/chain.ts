/**
 * The hash chain on Postgres (src/lib/store/chain): triggers note what a transaction of a store changes, and its last statement
 * links that. They note only where the transaction says that it is a store's: what another program writes has no link.
 */
import { CompiledQuery, type QueryExecutorProvider } from 'kysely'
import { isRecord } from '../../json.ts'
import { type ChainedTable, type ChainHead, chainedName, createLinks, type Link } from '../chain/chain.ts'
import { type Ask, type ChainedRow, type ChainReading, linksAtOnce, rowsAtOnce } from '../chain/verify.ts'

/** The setting of a transaction whose changes are noted. */
export const notingSetting = 'paydesk.noting'

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
      if tg_op = 'DELETE' then ${note('old', 'null')}; else ${note('new', contentOnServer(table, 'new'))}; end if;
      return null;
    end $note$;
    create trigger note_changes after insert or update or delete on ${table.name}
      for each row when (current_setting('${notingSetting}', true) = 'on') execute function note_${table.name}()`
}

/** Statements that make room for the links, and the triggers of these tables. */
export function chainOn(tables: readonly ChainedTable[]): readonly string[] {
  return [
    createLinks,
    // Rows of it live no longer than their transaction, and no other ever sees them.
    'create unlogged table changed_rows (place bigint generated always as identity, name text, content text)',
    ...tables.map(notingTrigger),
  ]
}

interface Newest {
  readonly number: number | null
  readonly hash: string | null
}

function headIn({ number = null, hash = null }: Partial<Newest> = {}): ChainHead | null {
  return number === null || hash === null ? null : { links: number, hash }
}

/**
 * The same as `linkHash` of a link, as SQL: the server has the link before it and the changes, and nothing of them has to go back and
 * forth while others wait for the end of the transaction.
 */
export const linkHashOnServer = (before: string, number: string, changes: string) =>
  `encode(sha256(convert_to('["' || ${before} || '",' || ${number} || ',0,' || to_json(${changes})::text || ']', 'UTF8')), 'hex')`

// A row that was changed twice in a commit stands in its link as it was left.
const link: CompiledQuery<Newest> = CompiledQuery.raw(`
  with last as (select distinct on (name) name, content from changed_rows order by name, place desc),
    noted as (select json_object_agg(name, content order by name)::text as changes from last),
    forgotten as (delete from changed_rows),
    before as (select coalesce(max(number), 0) as number from links),
    next as (
      select before.number + 1 as number, noted.changes,
        coalesce((select hash from links where links.number = before.number), '') as hash
      from before, noted where noted.changes is not null
    )
  insert into links
    select number, ${linkHashOnServer('hash', 'number::text', 'changes')}, 0, changes from next
    returning number, hash`)

/** Adds the link of a transaction that is about to be committed; null where it has changed no row under the chain. */
export async function linkOnServer(db: QueryExecutorProvider): Promise<ChainHead | null> {
  const { rows } = await db.getExecutor().executeQuery<Newest>(link)
  return headIn(rows[0])
}

/** The rows that a link names; none where somebody has made it no JSON. */
function namedIn({ changes }: Link): readonly (readonly [name: string, content: string | null])[] {
  try {
    const read: unknown = JSON.parse(changes)
    return isRecord(read)
      ? Object.entries(read).map(([name, content]) => [name, content === null ? null : String(content)])
      : []
  } catch {
    return []
  }
}

async function note(links: readonly Link[], ask: Ask): Promise<void> {
  const named = new Map<string, readonly [content: string | null, link: number]>()
  for (const link of links) for (const [name, content] of namedIn(link)) named.set(name, [content, link.number])
  const all = [...named]
  await ask(
    `insert into named_rows select * from unnest($1::text[], $2::text[], $3::integer[])
     on conflict (name) do update set content = excluded.content, link = excluded.link`,
    all.map(([name]) => name),
    all.map(([, [content]]) => content),
    all.map(([, [, link]]) => link),
  )
}

/** The answer to a query, piece by piece, in the transaction that is open. */
async function* fetched<Row>(query: string, most: number, ask: Ask): AsyncIterable<readonly Row[]> {
  await ask(`declare pieces no scroll cursor for ${query}`)
  for (;;) {
    const piece = await ask<Row>(`fetch ${most} from pieces`)
    if (piece.length > 0) yield piece
    if (piece.length < most) break
  }
  await ask('close pieces')
}

async function* links(ask: Ask): AsyncIterable<readonly Link[]> {
  for await (const piece of fetched<Link>(
    'select number, hash, seals, changes from links order by number',
    linksAtOnce,
    ask,
  )) {
    yield piece
    await note(piece, ask)
  }
}

function rows(table: ChainedTable, ask: Ask): AsyncIterable<readonly ChainedRow[]> {
  const name = chainedName(table, 'own')
  // Plain numbers may be larger than JavaScript can hold: such rows are compared as the chain writes them.
  const values = table.plain ? '' : 'own.*, '
  const query = `select ${values}${name} as chain_name, ${contentOnServer(table, 'own')} as chain_content,
      named.content as chain_told, named.link as chain_link
    from ${table.name} as own left join named_rows as named on named.name = ${name}`
  return fetched<ChainedRow>(query, rowsAtOnce, ask)
}

export const postgresReading: ChainReading = {
  begin: 'begin isolation level repeatable read',
  namedRows: 'create temp table named_rows (name text primary key, content text, link integer) on commit drop',
  links,
  rows,
  own: ({ name }) => name,
}
