/**
 * Holds a store against its hash chain: every link against the one before it, and every row against the newest link that names
 * it. One snapshot is read, piece by piece, while others may write; what the links say of the rows lies in a table of this
 * connection, so that a million rows take no more memory than one.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Members } from '../../contract/core/members.ts'
import { type ChainedTable, type ChainHead, chainedContent, chainedName, type Link, linkHash } from './chain.ts'

export type ChainFinding =
  /** A link is not what was written there; links from this one to `until` are missing. */
  | { readonly kind: 'link-changed'; readonly link: number }
  | { readonly kind: 'links-missing'; readonly link: number; readonly until: number }
  /**
   * A row by its name in the chain, the newest link that names it, and whether that seals what was there before. `added`: no
   * link names it, or one says that it was removed.
   */
  | {
      readonly kind: 'row-changed' | 'row-removed'
      readonly row: string
      readonly link: number
      readonly isSeal: boolean
    }
  | { readonly kind: 'row-added'; readonly row: string }

interface Verified {
  readonly rows: number
  readonly head: ChainHead | null
  /** The number of links that seal rows which were there before them. */
  readonly seals: number
  /** Findings, the first of them one by one. */
  readonly count: number
  readonly first: readonly ChainFinding[]
}

interface Verification {
  readonly tables: readonly ChainedTable[]
  /** The digest that a row with these values has. */
  readonly digestOf: (row: Members) => string
  /** Findings that are told one by one. */
  readonly mostTold: number
  /** Sees every link, in their order. */
  readonly seen: (link: ChainHead) => void
  /** Ends it with its reason. */
  readonly signal: AbortSignal
}

/** `db` is a store's own; nothing is written to it. */
export function verifyChain<Tables>(
  db: Kysely<Tables>,
  reading: ChainReading,
  options: Verification,
): Promise<Verified> {
  return db.connection().execute(async (connection) => {
    const verifier = new Verifier(connection, reading, options)
    await verifier.run(reading.begin)
    try {
      await verifier.run(reading.namedRows)
      await verifier.links()
      for (const table of options.tables) await verifier.rows(table)
      await verifier.removed()
      return verifier.verified
    } finally {
      // A full disk has ended it already; that error is the one to tell.
      await verifier.run('rollback').catch(() => undefined)
    }
  })
}

class Verifier {
  readonly #db: Pick<Kysely<unknown>, 'getExecutor'>
  readonly #reading: ChainReading
  readonly #options: Verification
  readonly #first: ChainFinding[] = []
  #count = 0
  #rows = 0
  /** Rows that a link names, and that are there. */
  #matched = 0
  #head: ChainHead | null = null
  readonly #seals = new Set<number>()

  constructor(db: Pick<Kysely<unknown>, 'getExecutor'>, reading: ChainReading, options: Verification) {
    this.#db = db
    this.#reading = reading
    this.#options = options
  }

  get verified(): Verified {
    return { rows: this.#rows, head: this.#head, seals: this.#seals.size, count: this.#count, first: this.#first }
  }

  async run<Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#db.getExecutor().executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
  }

  #add(finding: ChainFinding): void {
    this.#count += 1
    if (this.#first.length < this.#options.mostTold) this.#first.push(finding)
  }

  /** A piece of what may take long: signals have their turn between two of them. */
  readonly #piece = async <Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> => {
    await nextRound()
    this.#options.signal.throwIfAborted()
    return this.run<Row>(text, ...values)
  }

  async links(): Promise<void> {
    for await (const links of this.#reading.links(this.#piece)) {
      for (const link of links) this.#link(link)
    }
  }

  #link(link: Link): void {
    const { number, hash, seals } = link
    const due = (this.#head?.links ?? 0) + 1
    if (number > due) this.#add({ kind: 'links-missing', link: due, until: number - 1 })
    else if (number < due || hash !== linkHash(this.#head?.hash ?? '', link))
      this.#add({ kind: 'link-changed', link: number })
    this.#head = { links: number, hash }
    this.#options.seen(this.#head)
    if (seals) this.#seals.add(number)
  }

  async rows(table: ChainedTable): Promise<void> {
    for await (const rows of this.#reading.rows(table, this.#piece)) {
      for (const row of rows) this.#row(row, table)
    }
  }

  #row(found: ChainedRow, { plain }: ChainedTable): void {
    const { chain_name: row, chain_content: content, chain_told: told, chain_link: link, ...values } = found
    this.#rows += 1
    if (told === null || link === null) {
      this.#add({ kind: 'row-added', row })
      return
    }
    this.#matched += 1
    const isWhole = content === told && (plain !== undefined || content === this.#options.digestOf(values))
    if (!isWhole) this.#add({ kind: 'row-changed', row, link, isSeal: this.#seals.has(link) })
  }

  async removed(): Promise<void> {
    const [{ count } = { count: 0 }] = await this.run<{ readonly count: number }>(
      'select cast(count(*) as integer) as count from named_rows where content is not null',
    )
    if (count === this.#matched) return
    const there = this.#options.tables.map(
      (table) => `select ${chainedName(table, table.name)} from ${this.#reading.own(table)}`,
    )
    const gone = await this.run<{ readonly row: string; readonly link: number }>(
      `select name as row, link from named_rows
       where content is not null and name not in (${there.join(' union all ')}) order by link, name limit ${this.#options.mostTold}`,
    )
    for (const { row, link } of gone) this.#add({ kind: 'row-removed', row, link, isSeal: this.#seals.has(link) })
    this.#count += count - this.#matched - gone.length
  }
}

export interface ChainedRow extends Members {
  readonly chain_name: string
  /** The row now, and in the words of the newest link that names it. */
  readonly chain_content: string
  readonly chain_told: string | null
  readonly chain_link: number | null
}

/** Carries a statement out. */
export type Ask = <Row>(text: string, ...values: readonly unknown[]) => Promise<readonly Row[]>

/**
 * The reading of a chain and of the rows under it, in the words of an engine. What the links say of rows lies in a table
 * `named_rows` of the connection: the name of a row, its content by the newest link that names it, and that link.
 */
export interface ChainReading {
  /** Begins a transaction that sees one moment. */
  readonly begin: string
  /** Makes `named_rows`. */
  readonly namedRows: string
  /** The links in their order, piece by piece; what a piece says of rows is in `named_rows` when the next one is asked for. */
  links(ask: Ask): AsyncIterable<readonly Link[]>
  /** The rows of a table in an order of their own, piece by piece, each with what `named_rows` says of it. */
  rows(table: ChainedTable, ask: Ask): AsyncIterable<readonly ChainedRow[]>
  /** The table itself, whatever the connection has made under its name. */
  own(table: ChainedTable): string
}

/** Links and rows that are held in memory at once. */
export const linksAtOnce = 16
export const rowsAtOnce = 100

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
