/** The sections of the window: a list each, and of an entry of a list everything that is known. */
import type { HtmlEscapedString } from 'hono/utils/html'
import type { End } from '../../../contract/status.ts'
import type { SandboxReader } from '../../../store/sandbox/schema.ts'
import type { SearchedTable, Words } from '../../../store/sandbox/search.ts'
import { localMoment, serviceZone } from '../../clock/clock.ts'
import type { Names } from '../../log/entry.ts'

export type PageHtml = HtmlEscapedString | Promise<HtmlEscapedString>

/** One look into the world. */
export interface Looking {
  readonly db: SandboxReader
  readonly now: number
  readonly words: Words
  readonly names: Names
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
export interface Fold {
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

export interface Facts {
  readonly title: string
  readonly rows: readonly (readonly [name: string, value: PageCell])[]
}

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
  readonly actions?: PageHtml
  /** The first stand before the texts, the others behind them. */
  readonly facts: readonly Facts[]
  readonly texts: readonly { readonly title: string; readonly text: string }[]
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
  readonly rows: (looking: Looking) => Promise<readonly Row[]>
  readonly detail?: (looking: Looking, id: string) => Promise<Detail | null>
}

/** The most entries of a list. Older ones are found by searching. */
export const most = 200

export function toneOf(end: End): Tone {
  if (end === null) return 'waiting'
  return end === 'paid' ? 'good' : 'bad'
}

/** A moment in the service's local time, as short as a list needs it: of today the time only. */
export function shortly(milliseconds: number, now: number): string {
  const local = localMoment(milliseconds)
  const isToday = local.slice(0, 10) === localMoment(now).slice(0, 10)
  return isToday ? local.slice(11, 19) : local.slice(5, 19).replace('T', ' ')
}

/** The same of a moment in full, with its zone. */
export function moment(local: string | null): string | null {
  return local === null ? null : `${local.slice(0, 23).replace('T', ' ')} ${serviceZone}`
}

/** A long id as a list has room for it: its beginning tells it from others, and can be searched for. */
export function briefly(id: string | null): string | null {
  return id !== null && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id) ? `${id.slice(0, 8)}…` : id
}
