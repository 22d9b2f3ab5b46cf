/** Looking for words in the sandbox's tables: what stands in a row, as one text in small letters. */
import { type RawBuilder, sql } from 'kysely'
import type { CallbackRow, CardRow, KeptRequest, OrderRow, SandboxReader, SubscriptionRow } from './schema.ts'
import type { ExecutedWalletOrder } from './wallet.ts'
import type { ExecutedPayout } from './world.ts'

/** Of every entry one of its spellings has to be found. */
export type Words = readonly (readonly string[])[]

/** The rows of each table; callbacks with their number. */
interface Rows {
  requests: KeptRequest
  payouts: ExecutedPayout
  orders: OrderRow
  wallet_orders: ExecutedWalletOrder
  cards: CardRow
  subscriptions: SubscriptionRow
  callbacks: Omit<CallbackRow, 'callback_id'> & { readonly callback_id: number }
}

export type SearchedTable = keyof Rows

const money = (column: string) => sql`printf('%.2f', coalesce(${sql.ref(column)}, 0) / 100.0)`

function joined(...parts: readonly (string | RawBuilder<unknown>)[]): RawBuilder<string> {
  const texts = parts.map((part) => sql`coalesce(${typeof part === 'string' ? sql.ref(part) : part}, '')`)
  return sql<string>`lower(${sql.join(texts, sql` || ' ' || `)})`
}

const wallet = sql`from wallet_postings where wallet_postings.identifier = wallet_orders.identifier
  and wallet_postings.unique_id = wallet_orders.unique_id`
const debits = sql`(select count(*) from postings where postings.transaction_id = payouts.transaction_id and kind = 'debit')`

const savedWith = sql`(select integrator_order_id from orders where orders.order_id = cards.order_id)`

interface Facts {
  /** The id by which an entry is asked for. */
  readonly key: RawBuilder<unknown>
  readonly text: RawBuilder<string>
  readonly newest: RawBuilder<unknown>
  readonly more?: RawBuilder<unknown>
}

const tables: Readonly<Record<SearchedTable, Facts>> = {
  requests: {
    key: sql`request_id`,
    text: joined(
      ...['request_id', 'method', 'path', 'operation', 'identifier', 'code', 'http', 'verdict', 'rule', 'fault'],
      ...['plain', 'answer', 'remarks'],
    ),
    newest: sql`request_id desc`,
  },
  payouts: {
    key: sql`transaction_id`,
    text: joined('transaction_id', 'unique_id', 'client_id', 'iban', 'status', 'currency', money('amount'), 'request'),
    newest: sql`created desc, cast(transaction_id as integer) desc`,
    more: sql`, ${debits} as executions`,
  },
  orders: {
    key: sql`order_id`,
    text: joined(
      ...['order_id', 'integrator_id', 'integrator_order_id', 'status', 'currency', 'transaction_id', 'fail_reason'],
      ...[money('amount'), money('paid'), 'request'],
    ),
    newest: sql`created desc, order_id desc`,
  },
  wallet_orders: {
    key: sql`identifier || '/' || unique_id`,
    text: joined('identifier', 'unique_id', 'uri', 'receiver_id', 'status', 'reject_reason', money('amount')),
    newest: sql`created desc, unique_id desc`,
    more: sql`, (select count(*) ${wallet}) as executions, (select sum(units) ${wallet}) as paid`,
  },
  cards: {
    // Not by its token, which is shown nowhere: an order saves one card at most.
    key: sql`order_id`,
    text: joined('integrator_id', 'order_id', savedWith, 'card', 'provider', 'card_mask', 'card_brand'),
    newest: sql`created desc, order_id desc`,
  },
  subscriptions: {
    key: sql`subscription_id`,
    text: joined('subscription_id', 'order_id', 'integrator_id', 'status', 'interval', money('amount')),
    newest: sql`created desc, subscription_id desc`,
  },
  callbacks: {
    key: sql`callback_id`,
    text: joined('callback_id', 'order_id', 'integrator_id', 'kind', 'url', 'plain', 'state'),
    newest: sql`callback_id desc`,
  },
}

const searchedTables = Object.keys(tables) as SearchedTable[]

/** True if every word stands in the row. */
export function holds(table: SearchedTable, words: Words): RawBuilder<boolean> {
  const { text } = tables[table]
  const each = words.map((spellings) => {
    const found = spellings.map((spelling) => sql`instr(${text}, ${spelling.toLowerCase()}) > 0`)
    return sql`(${sql.join(found, sql` or `)})`
  })
  return sql<boolean>`(${each.length > 0 ? sql.join(each, sql` and `) : sql`1`})`
}

/** The newest rows in which the words stand. */
export async function newestOf<Table extends SearchedTable>(
  db: SandboxReader,
  table: Table,
  words: Words,
  limit: number,
): Promise<Rows[Table][]> {
  const { newest, more = sql`` } = tables[table]
  const { rows } = await sql<Rows[Table]>`select ${sql.table(table)}.* ${more} from ${sql.table(table)}
    where ${holds(table, words)} order by ${newest} limit ${limit}`.execute(db)
  return rows
}

/** One row by its key; null where there is none. */
export async function rowNamed<Table extends SearchedTable>(
  db: SandboxReader,
  table: Table,
  name: string,
): Promise<Rows[Table] | null> {
  const { key, more = sql`` } = tables[table]
  const { rows } = await sql<Rows[Table]>`select ${sql.table(table)}.* ${more} from ${sql.table(table)}
    where cast(${key} as text) = ${name}`.execute(db)
  return rows[0] ?? null
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
