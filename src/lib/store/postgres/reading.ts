/** The reading of a chain in Postgres. */
import { isRecord } from '../../json.ts'
import { type ChainedTable, chainedName } from '../chain/chained.ts'
import type { Link } from '../chain/link.ts'
import { type Ask, type ChainedRow, type ChainReading, linksAtOnce, rowsAtOnce } from '../chain/reading.ts'
import { contentOnServer } from './chain.ts'

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
