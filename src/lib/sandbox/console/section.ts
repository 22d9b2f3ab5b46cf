/** What a section of the console is: a list, and everything that is known of an entry. */
import type { End } from '../../contract/status.ts'
import type { Html } from '../../html.ts'
import { isRecord, writeJson } from '../../json.ts'
import { findRow, listRows, newestRows, rowNamed, type SearchedTable, type Words } from '../../store/sandbox/rows.ts'
import type { SandboxReader, Row as TableRow } from '../../store/sandbox/schema.ts'
import { names } from '../accounts/fixtures.ts'
import { localMoment, serviceZone } from '../clock.ts'

/** One look into the world. */
export interface PageContext {
  readonly db: SandboxReader
  readonly now: number
  readonly words: Words
  /** The filter that was chosen; null for none. */
  readonly only: string | null
  /** The group of alike requests that is shown one by one; null where every group is folded. */
  readonly unfold: string | null
  /** The address of the sandbox, as the visitor has it. */
  readonly base: string
}

/** Good and bad are ends; waiting is everything that may still go either way; plain is an end that is no failure. */
export type Tone = 'good' | 'bad' | 'waiting' | 'plain'

export type PageCell = string | number | { toString(): string } | null

export interface Column {
  readonly name: string
  /** Amounts stand to the right, ids in a fixed width, words may break. */
  readonly kind?: 'amount' | 'id' | 'words' | 'status'
  /** Left out where there is little room. */
  readonly minor?: true
  /** A time: its head names the zone. */
  readonly zoned?: true
  /** Bears the number of alike entries that a row stands for. */
  readonly folds?: true
}

/** Alike entries in one row, or the first of them where they are shown one by one. */
interface Fold {
  readonly count: number
  /** The name of the group in the address. */
  readonly group: string
  readonly open: boolean
  readonly ids: readonly string[]
}

export interface Row {
  /** The id by which its details are asked for; null where it has none. */
  readonly id: string | null
  readonly tone: Tone
  /** As many as there are columns. */
  readonly cells: readonly PageCell[]
  readonly fold?: Fold | null
}

/** What is known, by its title; what is null or empty is left out. */
export type Facts = Readonly<Record<string, readonly (readonly [name: string, value: PageCell])[]>>

/** Another entry that has to do with this one. */
export interface EntryLink {
  readonly title: string
  readonly view: string
  readonly id: string
}

export interface CopiedText {
  /** In words that follow "Copy". */
  readonly as: string
  readonly text: string
}

export interface Detail {
  readonly title: string
  readonly tone: Tone
  readonly status: string
  /** The cause of a refusal, before everything else. */
  readonly cause?: string | null
  readonly links?: readonly EntryLink[]
  readonly copies?: readonly CopiedText[]
  /** Something by hand, first of all. */
  readonly actions?: Html | null
  /** The first stand before the texts, the others behind them. */
  readonly facts: Facts
  readonly texts?: readonly { readonly title: string; readonly text: string }[]
  /** Words for which the requests can be searched that are about it. */
  readonly about?: string
}

export interface Section {
  readonly name: string
  readonly title: string
  /** The table that its number is counted from; null where nothing is counted. */
  readonly table: SearchedTable | null
  /** Parts of the list, by the name that the address has. */
  readonly filters?: readonly { readonly name: string; readonly title: string }[]
  readonly columns: readonly Column[]
  readonly empty: string
  readonly rows: (context: PageContext) => Promise<readonly Row[]>
  readonly detail?: (context: PageContext, id: string) => Promise<Detail | null>
}

/** The most entries of a list. Older ones are found by searching. */
export const mostRows = 200

interface Status {
  readonly tone: Tone
  readonly words: string
}

/** A section that lists the newest rows of one table, the time of their creation first. */
type ListedTable = Exclude<SearchedTable, 'requests'>

interface TableSection<Name extends ListedTable> extends Pick<Section, 'name' | 'title' | 'empty'> {
  readonly table: Name
  readonly id: (row: TableRow<Name>) => string
  readonly status: (row: TableRow<Name>, context: PageContext) => Status | Promise<Status>
  /** Behind the time and the status. */
  readonly columns: readonly (Column & {
    readonly cell: (row: TableRow<Name>, context: PageContext) => PageCell | Promise<PageCell>
  })[]
  /** The entry as JSON prints it. */
  readonly entry: (row: TableRow<Name>, context: PageContext) => object | Promise<object>
  readonly heading: (row: TableRow<Name>) => string
  readonly more: (row: TableRow<Name>, context: PageContext) => Promise<Partial<Detail>> | Partial<Detail>
}

const created: Column = { name: 'created', kind: 'id', zoned: true }
const status: Column = { name: 'status', kind: 'status' }

export function tableSection<Name extends ListedTable>(section: TableSection<Name>): Section {
  const { table, columns, id, entry, heading, more } = section
  return {
    ...section,
    columns: [created, status, ...columns],
    rows: async (context) => {
      const rows = await newestRows(context.db, table, context.words, mostRows)
      const shown = rows.map(async (row) => {
        const { tone, words } = await section.status(row, context)
        const cells = await Promise.all(columns.map(({ cell }) => cell(row, context)))
        return {
          id: id(row),
          tone,
          cells: [shortMoment(Number(row['created' as keyof typeof row]), context.now), words, ...cells],
        }
      })
      return await Promise.all(shown)
    },
    detail: async (context, name) => {
      const row = await rowNamed(context.db, table, name)
      if (!row) return null
      const { tone, words } = await section.status(row, context)
      const known = await entry(row, context)
      return {
        ...{ title: heading(row), tone, status: words },
        copies: [{ as: 'JSON', text: writeJson(known, 2) }],
        facts: factsOf('Entry', known),
        ...(await more(row, context)),
      }
    },
  }
}

const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]{15}$/

/** A value as a page shows it: moments with their zone, identities with their names, what has members in one line. */
function shownValue(value: unknown): PageCell {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(shownValue).join('; ')
  if (isRecord(value)) {
    const known = Object.entries(value).filter(([, member]) => member !== null)
    return known.map(([name, member]) => `${name} ${shownValue(member)}`).join(', ')
  }
  const text = String(value)
  const name = names.get(text.toLowerCase())
  return isMoment.test(text) ? moment(text) : name === undefined ? text : `${text} (${name})`
}

/** The members of an entry; lists of things on their own, numbered. */
export function factsOf(title: string, entry: object): Facts {
  const isThings = (value: unknown): value is object[] => Array.isArray(value) && isRecord(value[0])
  const members = Object.entries(entry)
  const lists = members.flatMap(([name, value]) => (isThings(value) ? [[name, value] as const] : []))
  return {
    [title]: members.flatMap(([name, value]) => (isThings(value) ? [] : [[name, shownValue(value)] as const])),
    ...Object.fromEntries(
      lists.map(([name, things]) => [name, things.map((thing, at) => [`${at + 1}.`, shownValue(thing)])]),
    ),
  }
}

export function toneOf(end: End): Tone {
  if (end === null) return 'waiting'
  return end === 'paid' ? 'good' : 'bad'
}

/** A moment in the service's local time, as short as a list needs it: of today the time only. */
export function shortMoment(milliseconds: number, now: number): string {
  const local = localMoment(milliseconds)
  const isToday = local.slice(0, 10) === localMoment(now).slice(0, 10)
  return isToday ? local.slice(11, 19) : local.slice(5, 19).replace('T', ' ')
}

/** The same of a moment in full, with its zone. */
export function moment(local: string | null): string | null {
  return local === null ? null : `${local.slice(0, 23).replace('T', ' ')} ${serviceZone}`
}

/** A long id as a list has room for it: its beginning tells it from others, and can be searched for. */
export function shortId(id: string | null): string | null {
  return id !== null && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id) ? `${id.slice(0, 8)}…` : id
}

// Entries that have to do with each other: an order with its callbacks, its card, its plan; each of them with the
// order.

export function orderLink(id: string): EntryLink {
  return { title: 'Order', view: 'orders', id }
}

/** The callbacks of an order. */
export async function callbackLinks(db: SandboxReader, order_id: string): Promise<EntryLink[]> {
  return (await listRows(db, 'callbacks', { order_id })).map(({ callback_id: id }) => ({
    title: `Callback ${id}`,
    view: 'callbacks',
    id: String(id),
  }))
}

/** Everything that came of an order. */
export async function linksOfOrder(db: SandboxReader, order_id: string): Promise<EntryLink[]> {
  const card = await findRow(db, 'cards', { order_id })
  const plan = await findRow(db, 'subscriptions', { order_id })
  return [
    ...(await callbackLinks(db, order_id)),
    ...(card ? [{ title: 'Card', view: 'cards', id: order_id }] : []),
    ...(plan ? [{ title: 'Subscription', view: 'subscriptions', id: plan.subscription_id }] : []),
  ]
}
