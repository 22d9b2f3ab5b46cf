/** The one way to read and write rows of the sandbox: by the values of their columns, or by words that stand in them. */
import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Row, SandboxReader, SandboxTables, SandboxWriter, Table } from './schema.ts'

export type NewRow<Name extends Table> = Readonly<Insertable<SandboxTables[Name]>>

/** The columns by which rows are told from each other, and their values. */
type Where<Name extends Table> = Partial<Row<Name>>

/** The columns by which rows are sorted, from the oldest to the newest. */
const order = {
  world: ['rowid'],
  clients: ['client_id'],
  tokens: ['rowid'],
  faults: ['id'],
  // By number, not by text: identifiers grow longer.
  payouts: ['cast(transaction_id as integer)'],
  postings: ['rowid'],
  key_pairs: ['owner'],
  orders: ['created', 'order_id'],
  shares: ['position'],
  refunds: ['refund_id'],
  refund_parts: ['refund_id'],
  order_postings: ['rowid'],
  cards: ['created', 'token'],
  subscriptions: ['created', 'subscription_id'],
  charges: ['time', 'charge_id'],
  wallet_orders: ['created', 'unique_id'],
  wallet_postings: ['rowid'],
  users: ['created', 'user_id'],
  callbacks: ['callback_id'],
  callback_attempts: ['number'],
  requests: ['request_id'],
} as const satisfies Readonly<Record<Table, readonly string[]>>

const walletPostings = sql`from wallet_postings where wallet_postings.identifier = wallet_orders.identifier
  and wallet_postings.unique_id = wallet_orders.unique_id`

/** Columns that are worked out as a row is read. */
const computed: Readonly<Partial<Record<Table, RawBuilder<unknown>>>> = {
  payouts: sql`, (select count(*) from postings
    where postings.transaction_id = payouts.transaction_id and kind = 'debit') as executions`,
  wallet_orders: sql`, (select count(*) ${walletPostings}) as executions, (select sum(units) ${walletPostings}) as paid`,
}

async function select<Name extends Table>(
  db: SandboxReader,
  table: Name,
  condition: RawBuilder<unknown>,
  sorted: string,
  limit = -1,
): Promise<Row<Name>[]> {
  const { rows } = await sql<
    Row<Name>
  >`select ${sql.table(table)}.* ${computed[table] ?? sql``} from ${sql.table(table)}
    where ${condition} order by ${sql.raw(sorted)} limit ${limit}`.execute(db)
  return rows
}

function having(where: object): RawBuilder<unknown> {
  const each = Object.entries(where).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  return each.length > 0 ? sql.join(each, sql` and `) : sql`1`
}

const oldestFirst = (table: Table) => order[table].join(', ')
const newestFirst = (table: Table) => order[table].map((each) => `${each} desc`).join(', ')

/** All rows with these values, the oldest first. */
export async function listRows<Name extends Table>(
  db: SandboxReader,
  table: Name,
  where: Where<Name> = {},
): Promise<Row<Name>[]> {
  return await select(db, table, having(where), oldestFirst(table))
}

/** The newest row with these values; null where there is none. */
export async function findRow<Name extends Table>(
  db: SandboxReader,
  table: Name,
  where: Where<Name> = {},
): Promise<Row<Name> | null> {
  const [row] = await select(db, table, having(where), newestFirst(table), 1)
  return row ?? null
}

type MovingTable = { [Name in Table]: 'due' extends keyof Row<Name> ? Name : never }[Table]

/** Rows that are to move by now, the longest due first. */
export async function dueRows<Name extends MovingTable>(
  db: SandboxReader,
  table: Name,
  now: number,
): Promise<Row<Name>[]> {
  return await select(db, table, sql`due <= ${now}`, `due, ${oldestFirst(table)}`)
}

/** Adds rows, and gives them back with the numbers that the store gave them. */
export async function addRows<Name extends Table>(
  db: SandboxWriter,
  table: Name,
  rows: readonly NewRow<Name>[],
): Promise<Row<Name>[]> {
  if (rows.length === 0) return []
  const query = db.insertInto(table as 'orders').values(rows as never)
  return (await query.returningAll().execute()) as unknown as Row<Name>[]
}

export async function addRow<Name extends Table>(
  db: SandboxWriter,
  table: Name,
  row: NewRow<Name>,
): Promise<Row<Name>> {
  const [added] = await addRows(db, table, [row])
  if (!added) throw new Error(`the store did not take a row of ${table}`)
  return added
}

export async function changeRows<Name extends Table>(
  db: SandboxWriter,
  table: Name,
  where: Where<Name>,
  change: Where<Name>,
): Promise<void> {
  const query = db.updateTable(table as 'orders').set(change as never)
  await query.where(having(where) as RawBuilder<boolean>).execute()
}

/** Removes rows, and gives back how many there were. */
export async function removeRows<Name extends Table>(
  db: SandboxWriter,
  table: Name,
  where: Where<Name> = {},
): Promise<number> {
  const query = db.deleteFrom(table as 'orders').where(having(where) as RawBuilder<boolean>)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Changes an order and gives back how it is now. */
export async function updateOrder(
  db: SandboxWriter,
  order: Row<'orders'>,
  change: Where<'orders'>,
): Promise<Row<'orders'>> {
  await changeRows(db, 'orders', { order_id: order.order_id }, change)
  return { ...order, ...change }
}

// Looking for words: what stands in a row, as one text in small letters.

/** Of every entry one of its spellings has to be found. */
export type Words = readonly (readonly string[])[]

const money = (name: string) => sql`printf('%.2f', coalesce(${sql.ref(name)}, 0) / 100.0)`

function joined(...parts: readonly (string | RawBuilder<unknown>)[]): RawBuilder<string> {
  const texts = parts.map((part) => sql`coalesce(${typeof part === 'string' ? sql.ref(part) : part}, '')`)
  return sql<string>`lower(${sql.join(texts, sql` || ' ' || `)})`
}

const savedWith = sql`(select integrator_order_id from orders where orders.order_id = cards.order_id)`

/** The id by which an entry is asked for, and the text in which words are looked for. */
const searched = {
  requests: {
    key: 'request_id',
    text: joined(
      ...['request_id', 'method', 'path', 'operation', 'identifier', 'code', 'http', 'verdict', 'rule', 'fault'],
      ...['plain', 'answer', 'remarks'],
    ),
  },
  payouts: {
    key: 'transaction_id',
    text: joined('transaction_id', 'unique_id', 'client_id', 'iban', 'status', 'currency', money('amount'), 'request'),
  },
  orders: {
    key: 'order_id',
    text: joined(
      ...['order_id', 'integrator_id', 'integrator_order_id', 'status', 'currency', 'transaction_id', 'fail_reason'],
      ...[money('amount'), money('paid'), 'request'],
    ),
  },
  wallet_orders: {
    key: "identifier || '/' || unique_id",
    text: joined('identifier', 'unique_id', 'uri', 'receiver_id', 'status', 'reject_reason', money('amount')),
  },
  cards: {
    // Not by its token, which is shown nowhere: an order saves one card at most.
    key: 'order_id',
    text: joined('integrator_id', 'order_id', savedWith, 'card', 'provider', 'card_mask', 'card_brand'),
  },
  subscriptions: {
    key: 'subscription_id',
    text: joined('subscription_id', 'order_id', 'integrator_id', 'status', 'interval', money('amount')),
  },
  callbacks: {
    key: 'callback_id',
    text: joined('callback_id', 'order_id', 'integrator_id', 'kind', 'url', 'plain', 'state'),
  },
} as const

export type SearchedTable = keyof typeof searched

const searchedTables = Object.keys(searched) as SearchedTable[]

/** True if every word stands in the row. */
export function holds(table: SearchedTable, words: Words): RawBuilder<boolean> {
  const { text } = searched[table]
  const each = words.map((spellings) => {
    const found = spellings.map((spelling) => sql`instr(${text}, ${spelling.toLowerCase()}) > 0`)
    return sql`(${sql.join(found, sql` or `)})`
  })
  return sql<boolean>`(${each.length > 0 ? sql.join(each, sql` and `) : sql`1`})`
}

/** The newest rows in which the words stand. */
export async function newestRows<Name extends SearchedTable>(
  db: SandboxReader,
  table: Name,
  words: Words,
  limit: number,
): Promise<Row<Name>[]> {
  return await select(db, table, holds(table, words), newestFirst(table), limit)
}

/** One row by its id as a page asks for it; null where there is none. */
export async function rowNamed<Name extends SearchedTable>(
  db: SandboxReader,
  table: Name,
  name: string,
): Promise<Row<Name> | null> {
  const condition = sql`cast(${sql.raw(searched[table].key)} as text) = ${name}`
  const [row] = await select(db, table, condition, oldestFirst(table))
  return row ?? null
}

/** The number of rows in each table that hold the words. */
export async function countsOf(db: SandboxReader, words: Words): Promise<Readonly<Record<SearchedTable, number>>> {
  const counts = searchedTables.map(
    (table) => sql`(select count(*) from ${sql.table(table)} where ${holds(table, words)}) as ${sql.ref(table)}`,
  )
  const { rows } = await sql<Record<SearchedTable, number>>`select ${sql.join(counts)}`.execute(db)
  const [found] = rows
  if (!found) throw new Error('a statement without a table gives one row')
  return found
}
