/** The list of a wish, from the journal of this store; with a reader of statuses, as the service tells them. */
import { hint, hintInWords, type Naming, paste } from '../hint.ts'
import type { ResultOf } from '../result.ts'
import type { listedResult } from './result.ts'
import { type ListedRow, type ListedThing, listedRow } from './row.ts'
import { knownNow, type ListedJournal, openElsewhere, thingsOf } from './things.ts'
import { type ListTotals, Totals } from './totals.ts'
import { asksForStanding, isMeant, type ListWish, standsSo } from './wish.ts'

export type ThingList = ResultOf<typeof listedResult>

/** Reads statuses of things from the service; one that cannot be read is given back as it is. */
export interface StatusSource {
  read(things: readonly ListedThing[]): Promise<readonly ListedThing[]>
  /** Reasons why statuses were not read. */
  readonly warnings: readonly string[]
}

export interface ListParts {
  readonly journal: ListedJournal
  /** Milliseconds since 1970. */
  readonly now: number
  readonly naming: Naming
  /** Null where the journal alone is asked. */
  readonly source: StatusSource | null
}

/** Intents that are read from the store at once; fewer where the service is asked for what they made. */
const [atOnce, askedAtOnce] = [500, 50]

export async function listed(wish: ListWish, parts: ListParts): Promise<ThingList> {
  const rows: ListedRow[] = []
  for await (const row of rowsOf(wish, parts)) rows.push(row)
  const shown = rows.slice(0, wish.limit)
  const more = rows.length > shown.length
  const said = await saidOf(
    shown.flatMap(({ unresolved }) => unresolved),
    wish,
    parts,
  )
  return { rows: shown, more, warnings: [...(more ? [cutAt(wish.limit)] : []), ...said] }
}

/** The rows of a wish, the newest first, and one above its limit where there is one. */
async function* rowsOf(wish: ListWish, { journal, now, source }: ListParts): AsyncGenerator<ListedRow> {
  let left = wish.limit + 1
  for await (const page of thingsOf(journal, wish, source ? askedAtOnce : atOnce)) {
    const meant = page.filter((thing) => isMeant(listedRow(wish.subject, thing, now), wish))
    // No more are asked for than are shown, where what is asked does not decide on that.
    const wanted = asksForStanding(wish) ? meant : meant.slice(0, left)
    const things = source ? await knownNow(journal, wish.subject, await source.read(wanted)) : wanted
    for (const row of things
      .map((thing) => listedRow(wish.subject, thing, now))
      .filter((each) => standsSo(each, wish))) {
      yield row
      left -= 1
      if (left === 0) return
    }
  }
}

/** Warnings about rows, with the writes about them whose outcome is unknown, and about all that no row tells of. */
async function saidOf(
  unresolved: ListedRow['unresolved'],
  wish: ListWish,
  { journal, naming, source }: ListParts,
): Promise<readonly string[]> {
  const elsewhere = await openElsewhere(journal, wish)
  return [
    ...unknownAmong(unresolved, naming),
    ...(elsewhere > 0 ? [madeElsewhere(elsewhere, wish, naming)] : []),
    ...(source?.warnings ?? []),
  ]
}

/** The sums of a wish by day, currency and payee, the newest day first. `dayOf`: the local day of a time. */
export async function totalsOf(
  wish: ListWish,
  parts: ListParts,
  dayOf: (openedAt: string) => string,
): Promise<ListTotals> {
  const totals = new Totals(dayOf)
  const unresolved: ListedRow['unresolved'][number][] = []
  for await (const row of rowsOf({ ...wish, limit: Number.POSITIVE_INFINITY }, parts)) {
    totals.add(row)
    unresolved.push(...row.unresolved)
  }
  return { ...totals.result(), warnings: await saidOf(unresolved, wish, parts) }
}

/** An older payment that is unknown must not be missed. */
function cutAt(limit: number): string {
  return `only the newest ${limit} are shown, and there are more: --limit, --since, --until and the like choose others`
}

function unknownAmong(unresolved: ListedRow['unresolved'], naming: Naming): string[] {
  const ids = unresolved.map(({ journalId }) => journalId)
  const [first] = ids
  if (first === undefined) return []
  const said =
    ids.length === 1 ? 'the outcome of one write is unknown' : `the outcome of ${ids.length} writes is unknown`
  return [
    hintInWords(
      hint`${said}: never send it anew, \`${paste('resume', first)}\` resolves ${ids.length === 1 ? 'it' : 'the first'}`,
      naming,
    ),
  ]
}

function madeElsewhere(count: number, { subject }: ListWish, naming: Naming): string {
  const writes = count === 1 ? 'one write' : `${count} writes`
  return hintInWords(
    hint`the outcome of ${writes} about a thing of this kind (${subject}) that was not made from this journal is unknown: \`${paste('journal list', '--state', 'unknown')}\``,
    naming,
  )
}
