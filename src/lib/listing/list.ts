/** Lists payouts, orders and wallet orders from the journal, with statuses from the service if wanted, or their sums by day and payee. */

import { fromMinorUnits, JsonNumber, minorUnits } from '../contract/core/decimal.ts'
import { writesAbout } from '../contract/operations.ts'
import { hint, hintInWords, type Naming, paste } from '../hint.ts'
import { readPages } from '../journal/find.ts'
import { type Intent, idAtService, isOperation } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { ResultOf } from '../result.ts'
import type { listedResult, listTotalsResult } from './result.ts'
import {
  dependsOnStatus,
  kinds,
  type ListedRow,
  type ListedSubject,
  type ListedThing,
  type ListQuery,
  listedRow,
  matches,
  matchesStatus,
} from './row.ts'

export type ThingList = ResultOf<typeof listedResult>

/** Reads statuses from the service; a thing whose status cannot be read stays as it is. */
export interface StatusSource {
  read(things: readonly ListedThing[]): Promise<readonly ListedThing[]>
  /** Why statuses were not read. */
  readonly warnings: readonly string[]
}

interface ListParts {
  readonly journal: ListedJournal
  /** Milliseconds since 1970. */
  readonly now: number
  readonly naming: Naming
  /** Null if only the journal is asked. */
  readonly source: StatusSource | null
}

/** Intents of one query; fewer if the service is asked for each. */
const [atOnce, askedAtOnce] = [500, 50]

export async function listRows(query: ListQuery, parts: ListParts): Promise<ThingList> {
  const rows: ListedRow[] = []
  for await (const row of readListedRows(query, parts)) rows.push(row)
  const shown = rows.slice(0, query.limit)
  const more = rows.length > shown.length
  const unresolved = shown.flatMap((row) => row.unresolved)
  const said = await warningsOf(unresolved, query, parts)
  // Nobody should overlook an older payment that is unknown.
  const cut = `only the newest ${query.limit} are shown; choose others with --limit, --since or --until`
  return { rows: shown, more, warnings: more ? [cut, ...said] : said }
}

/** The rows that match a query, the newest first; one more than its limit if there are more. */
async function* readListedRows(query: ListQuery, { journal, now, source }: ListParts): AsyncGenerator<ListedRow> {
  let left = query.limit + 1
  for await (const page of readThings(journal, query, source ? askedAtOnce : atOnce)) {
    const meant = page.filter((thing) => matches(listedRow(query.subject, thing, now), query))
    // Only rows that are shown are asked for, unless the query depends on statuses.
    const wanted = dependsOnStatus(query) ? meant : meant.slice(0, left)
    const things = source ? await withCurrentWrites(journal, query.subject, await source.read(wanted)) : wanted
    const found = things.map((thing) => listedRow(query.subject, thing, now))
    for (const row of found.filter((each) => matchesStatus(each, query))) {
      yield row
      left -= 1
      if (left === 0) return
    }
  }
}

/** Warnings about unknown writes, those of the rows and those that belong to no row, and about statuses that were not read. */
async function warningsOf(
  unresolved: ListedRow['unresolved'],
  query: ListQuery,
  { journal, naming, source }: ListParts,
): Promise<readonly string[]> {
  const words = (count: number) => (count === 1 ? 'one write' : `${count} writes`)
  const warnings: string[] = []
  const [first] = unresolved
  if (first) {
    const resolves = hint`\`${paste('resume', first.journalId)}\` resolves ${unresolved.length === 1 ? 'it' : 'the first'}`
    const unknown = hint`the outcome of ${words(unresolved.length)} is unknown: do not send it again, ${resolves}`
    warnings.push(hintInWords(unknown, naming))
  }
  const elsewhere = await countOpenElsewhere(journal, query)
  if (elsewhere > 0) {
    const about = `a thing of this kind (${query.subject}) that was not made from this journal`
    const list = paste('journal list', '--state', 'unknown')
    warnings.push(hintInWords(hint`the outcome of ${words(elsewhere)} about ${about} is unknown: \`${list}\``, naming))
  }
  return [...warnings, ...(source?.warnings ?? [])]
}

/** The sums of a query by day, currency and payee, the newest day first. `dayOf`: the local day of a time. */
export async function readTotals(
  query: ListQuery,
  parts: ListParts,
  dayOf: (openedAt: string) => string,
): Promise<ListTotals> {
  const totals = new Totals(dayOf)
  const unresolved: ListedRow['unresolved'][number][] = []
  for await (const row of readListedRows({ ...query, limit: Number.POSITIVE_INFINITY }, parts)) {
    totals.add(row)
    unresolved.push(...row.unresolved)
  }
  return { ...totals.result(), warnings: await warningsOf(unresolved, query, parts) }
}

// Things of the journal, page by page, each with all writes about it.

export type ListedJournal = Pick<Journal, 'list'>

/** The clock may have been set back: then a later write has an earlier time. */
const margin = 86_400_000

function nameOf(intent: Intent): string {
  const { serviceId, environment, clientId } = intent
  return JSON.stringify([serviceId, environment, clientId, idAtService(intent)])
}

function changes(subject: ListedSubject) {
  const { creation } = kinds[subject]
  return writesAbout(subject).filter((each) => each.name !== creation.name)
}

/** Creations, each with all writes about what it created. */
async function withWrites(journal: ListedJournal, subject: ListedSubject, created: readonly Intent[]) {
  const operations = changes(subject)
  const oldest = created.at(-1)
  const others = new Map<string, Intent[]>()
  if (oldest && operations.length > 0) {
    const since = new Date(Date.parse(oldest.openedAt) - margin).toISOString()
    for (const write of await journal.list({ operations, since })) {
      const name = nameOf(write)
      others.set(name, [...(others.get(name) ?? []), write])
    }
  }
  return created.map(
    (each): ListedThing => ({
      created: each,
      writes: [each, ...(others.get(nameOf(each)) ?? [])],
      read: null,
    }),
  )
}

/** The things of a query, the newest first, in pages of `size`. */
export async function* readThings(
  journal: ListedJournal,
  { subject, profile, since, until, key }: ListQuery,
  size: number,
): AsyncGenerator<readonly ListedThing[]> {
  const filter = {
    operations: [kinds[subject].creation],
    ...(profile === null ? {} : { profile }),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
    ...(key === null || key.endsWith('*') ? {} : { businessKeys: [key] }),
  }
  for await (const page of readPages(journal, filter, size)) yield await withWrites(journal, subject, page)
}

/** The same things, as the journal knows them now. */
export async function withCurrentWrites(
  journal: ListedJournal,
  subject: ListedSubject,
  things: readonly ListedThing[],
): Promise<readonly ListedThing[]> {
  const uniqueIds = things.map(({ created }) => created.uniqueId)
  const found = await journal.list({ operations: [kinds[subject].creation], uniqueIds })
  const byId = new Map(found.map((intent) => [intent.journalId, intent]))
  const created = things.map((thing) => byId.get(thing.created.journalId) ?? thing.created)
  const told = await withWrites(journal, subject, created)
  return told.map((thing, at) => ({ ...thing, read: things[at]?.read ?? null }))
}

/** Unknown writes about things that this journal did not create: they belong to no row. */
async function countOpenElsewhere(journal: ListedJournal, { subject, profile }: ListQuery): Promise<number> {
  const operations = changes(subject)
  if (operations.length === 0) return 0
  const open = await journal.list({ operations, states: ['unknown'], ...(profile === null ? {} : { profile }) })
  if (open.length === 0) return 0
  const creations = await journal.list({
    operations: [kinds[subject].creation],
    uniqueIds: [...new Set(open.map(idAtService))],
  })
  const made = new Set(creations.filter((each) => isOperation(each, kinds[subject].creation)).map(nameOf))
  return open.filter((each) => !made.has(nameOf(each))).length
}

// Sums of payouts by day, currency and payee, in minor units. Nothing is rounded, and currencies are never added together.

export type ListTotals = ResultOf<typeof listTotalsResult>

/** How a payout counts; other payouts were never sent, or wait here. */
export const counted = ['accepted', 'unknown', 'refused'] as const
export type Counted = (typeof counted)[number]

/** Null for a payout that does not count (held, unsent, turned away). */
export function countsAs({ state, end, inDoubt, unresolved }: ListedRow): Counted | null {
  if (unresolved.length > 0 || inDoubt !== null) return 'unknown'
  if (state === 'refused' || end === 'not-paid') return 'refused'
  return state === 'accepted' || state === 'exists' ? 'accepted' : null
}

type Sums = Record<Counted, { count: number; units: bigint }>

function noSums(): Sums {
  const none = () => ({ count: 0, units: 0n })
  return { accepted: none(), unknown: none(), refused: none() }
}

function shown(sums: Sums) {
  const one = ({ count, units }: Sums[Counted]) => ({ count, amount: new JsonNumber(fromMinorUnits(units)) })
  return { accepted: one(sums.accepted), unknown: one(sums.unknown), refused: one(sums.refused) }
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

export class Totals {
  readonly #dayOf: (openedAt: string) => string
  readonly #rows = new Map<
    string,
    { day: string; currency: string; name: string | null; account: string; sums: Sums }
  >()
  readonly #all = new Map<string, Sums>()

  constructor(dayOf: (openedAt: string) => string) {
    this.#dayOf = dayOf
  }

  add(row: ListedRow): void {
    const as = countsAs(row)
    const units = row.amount === null ? null : minorUnits(row.amount.text)
    if (as === null || units === null) return
    const { account, name, currency } = { ...row, currency: row.currency ?? '' }
    const day = this.#dayOf(row.openedAt)
    const key = JSON.stringify([day, currency, account, name])
    const total = this.#rows.get(key) ?? { day, currency, name, account, sums: noSums() }
    this.#rows.set(key, total)
    const all = this.#all.get(currency) ?? noSums()
    this.#all.set(currency, all)
    for (const sums of [total.sums, all]) {
      sums[as].count += 1
      sums[as].units += units
    }
  }

  result(): Pick<ListTotals, 'rows' | 'totals'> {
    const rows = [...this.#rows.values()].toSorted(
      (one, other) =>
        compared(other.day, one.day) ||
        compared(one.currency, other.currency) ||
        compared(one.name ?? '', other.name ?? '') ||
        compared(one.account, other.account),
    )
    const totals = [...this.#all].toSorted(([one], [other]) => compared(one, other))
    return {
      rows: rows.map(({ sums, ...about }) => ({ ...about, ...shown(sums) })),
      totals: totals.map(([currency, sums]) => ({ currency, ...shown(sums) })),
    }
  }
}
