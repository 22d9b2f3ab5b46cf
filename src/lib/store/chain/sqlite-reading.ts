/** The reading of a chain in SQLite. A row is found by its number, whatever somebody has written into its key. */
import { type ChainedTable, chainedContent, chainedName } from './chained.ts'
import type { Link } from './link.ts'
import { type Ask, type ChainedRow, type ChainReading, linksAtOnce, rowsAtOnce } from './reading.ts'

async function* links(ask: Ask): AsyncIterable<readonly Link[]> {
  const next = `select number, hash, seals, changes from links where number > ? order by number limit ${linksAtOnce}`
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const piece = await ask<Link>(next, last)
    const end = piece.at(-1)
    if (!end) return
    yield piece
    await ask(
      `insert or replace into named_rows select each.key, each.value, number from links, json_each(changes) as each
       where number > ? and number <= ? and json_valid(changes) order by number`,
      ...[last, end.number],
    )
    last = end.number
  }
}

interface PlacedRow extends ChainedRow {
  readonly chain_place: string
}

async function* rows(table: ChainedTable, ask: Ask): AsyncIterable<readonly ChainedRow[]> {
  const name = chainedName(table, 'own')
  // A plain number may be larger than JavaScript can hold: such rows are compared as the chain writes them.
  const values = table.plain ? '' : 'own.*, '
  const next = `select ${values}cast(own.rowid as text) as chain_place, ${name} as chain_name,
      ${chainedContent(table, 'own')} as chain_content, named.content as chain_told, named.link as chain_link
    from main.${table.name} as own left join named_rows as named on named.name = ${name}
    where own.rowid >= cast(? as integer) order by own.rowid limit ${rowsAtOnce}`
  for (let from = `${-(2n ** 63n)}`; ; ) {
    const piece = await ask<PlacedRow>(next, from)
    yield piece.map(({ chain_place: _, ...row }) => row as ChainedRow)
    const end = piece.at(-1)
    if (!end || piece.length < rowsAtOnce) return
    from = `${BigInt(end.chain_place) + 1n}`
  }
}

export const sqliteReading: ChainReading = {
  begin: 'begin',
  namedRows: 'create temp table named_rows (name text primary key, content text, link integer) without rowid',
  links,
  rows,
  own: ({ name }) => `main.${name}`,
}
