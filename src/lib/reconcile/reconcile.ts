/** Holds a bank's statement against the journal: reads both, matches them, and with `apply` writes what the statement proves. */

import { type ColumnMap, noMap } from '../batch/read/column-map.ts'
import { type FileToRead, peekBytes } from '../batch/read/file.ts'
import { formatOf } from '../batch/read/read.ts'
import { serviceZoneHours } from '../contract/assumed.ts'
import { fromMinorUnits, JsonNumber } from '../contract/core/decimal.ts'
import { howMany } from '../contract/core/text.ts'
import { dayAtService } from '../contract/date.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { payoutEnd } from '../contract/payout/status.ts'
import { Failure } from '../failure.ts'
import { blank, type Hint, hint, hintInWords, type Naming, ofProfile, paste } from '../hint.ts'
import { readPages } from '../journal/find.ts'
import type { Intent, JournalFilter } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import { requestIn } from '../journal/payment-end.ts'
import type { ResultOf } from '../result.ts'
import { applyEvidence, evidenceInWords, isEvidence } from './apply.ts'
import type { Payout } from './difference.ts'
import { type Item, itemKinds, type Kind, Matching, type MatchOptions, nextDay } from './match.ts'
import type { reconciliationResult } from './result.ts'
import { type BankFile, type Booking, commonText, refusedFile } from './statement.ts'

export type Reconciliation = ResultOf<typeof reconciliationResult>
export type ReconciledItem = Reconciliation['items'][number]

export interface ReconcileOptions {
  readonly map: ColumnMap | null
  /** Null: the payouts of every profile. */
  readonly profile: string | null
  /** The only account whose statements are compared; null for all. */
  readonly account: string | null
  /** Days, yyyy-MM-dd; null: those of the statement. */
  readonly from: string | null
  readonly to: string | null
  readonly days: number
  readonly apply: boolean
}

/** A reconciliation whose items are told one after the other: of a large statement they are never all in memory. */
export interface Reconciled {
  readonly head: Reconciliation
  readonly count: number
  items(): AsyncGenerator<ReconciledItem>
}

export interface Around {
  readonly journal: Journal
  readonly signal: AbortSignal
  readonly naming: Naming
}

const beginning = 64 * 1024

async function readStatement({ name, bytes }: FileToRead, map: ColumnMap | null): Promise<BankFile> {
  const peeked = await peekBytes(bytes, beginning)
  const format = formatOf(peeked.start)
  // The first bytes show only that it is XML.
  if (format === 'pain.001') return (await import('./camt.ts')).readCamt(name, peeked)
  if (format === 'csv') return (await import('./csv.ts')).readCsvStatement(name, peeked, map ?? noMap)
  await peeked.all[Symbol.asyncIterator]().return?.()
  const other = 'is no bank statement: camt.053, camt.054 and CSV can be read'
  throw refusedFile(name, typeof format === 'object' ? format.why : other)
}

function ofAccount(file: BankFile, account: string | null): BankFile {
  if (account === null) return file
  const places = [...file.statements.keys()].filter((at) => file.statements[at]?.account === account)
  if (places.length === 0) {
    const known = [...new Set(file.statements.flatMap((each) => each.account ?? []))]
    throw new Failure(
      'usage',
      `${file.name} has no statement of ${account}: it has ${known.join(', ') || 'none with an account'}`,
    )
  }
  const statements = file.statements.filter((_, at) => places.includes(at))
  const bookings = file.bookings
    .filter(({ statement }) => places.includes(statement))
    .map((each) => ({ ...each, statement: places.indexOf(each.statement) }))
  return { ...file, statements, bookings }
}

function periodOf({ statements, bookings }: BankFile, options: ReconcileOptions): MatchOptions['period'] {
  const told = [...statements.flatMap((each) => [each.from, each.to]), ...bookings.map(({ day }) => day)]
  const days = [...new Set(told)].filter((day) => day !== null).toSorted()
  const [from, to] = [options.from ?? days[0], options.to ?? days.at(-1)]
  return from === undefined || to === undefined ? null : { from, to }
}

const hour = 3_600_000

/** ISO text of midnight at the service. */
function startOf(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - serviceZoneHours * hour).toISOString()
}

const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/

function payoutOf(intent: Intent): Payout {
  const { journalId, idempotencyKey, uniqueId, transactionId, payee, body, state, status } = intent
  const from = body.includes('"fromIban"') ? requestIn(body).fromIban : null
  const conflict = intent.otherSum ?? intent.answeredSum ?? intent.disputed
  const end = status === null || (state !== 'accepted' && state !== 'exists') ? null : payoutEnd(status)
  return {
    journalId,
    key: idempotencyKey,
    uniqueId,
    transactionId,
    state,
    units: BigInt(intent.amountMinor ?? 0),
    currency: commonText(intent.currency ?? ''),
    account: iban.test(payee) ? payee : null,
    fromAccount: typeof from === 'string' ? from : null,
    day: commonText(dayAtService(Date.parse(intent.openedAt))),
    unpaidStatus: end === 'not-paid' ? status : null,
    isWaiting: status === 'INITIAL_INSUFFICIENT_BALANCE',
    conflict: conflict ?? (intent.isTaken ? 'another request has its id' : null),
  }
}

/** Payouts that are read at once: few, so that they are garbage before they grow old. */
const atOnce = 100

/** Payouts of the days that are compared, and older ones that the statement names. */
async function takePayouts(matching: Matching, { days, period }: MatchOptions, profile: JournalFilter, around: Around) {
  const { journal, signal } = around
  const filter = { ...profile, operations: [createPayout] }
  const since = period === null ? null : startOf(nextDay(period.from, -days))
  if (period !== null && since !== null) {
    const time = { ...filter, since, until: startOf(nextDay(period.to, 1)) }
    for await (const page of readPages(journal, time, atOnce)) {
      signal.throwIfAborted()
      for (const intent of page) matching.take(payoutOf(intent))
    }
  }
  const { keys, uniqueIds, numbers } = matching.unclaimed()
  const dashed = uniqueIds.map((each) => each.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
  const taken = new Set<string>()
  for (const [name, all] of Object.entries({ businessKeys: keys, uniqueIds: dashed, transactionIds: numbers })) {
    for (let from = 0; from < all.length; from += atOnce) {
      for (const intent of await journal.list({ ...filter, [name]: all.slice(from, from + atOnce) })) {
        if (taken.has(intent.journalId) || (since !== null && intent.openedAt >= since)) continue
        taken.add(intent.journalId)
        matching.take(payoutOf(intent), true)
      }
    }
  }
}

/** A booking proves the payout, and its status stays the one that was read last. */
const readStatuses = hint`a statement shows no status: \`${paste('payout list', '--refresh')}\` reads that of what was resolved`

export async function reconcile(statement: FileToRead, options: ReconcileOptions, around: Around): Promise<Reconciled> {
  const { journal, signal, naming } = around
  const file = ofAccount(await readStatement(statement, options.map), options.account)
  const compared = { days: options.days, period: periodOf(file, options) }
  const matching = new Matching(file, compared)
  await takePayouts(matching, compared, options.profile === null ? {} : { profile: options.profile }, around)
  const items = matching.end()
  const { resolved, warnings } = options.apply
    ? await applyEvidence(journal, file, items, signal)
    : { resolved: new Map<string, Intent>(), warnings: [] }
  const counts = countItems(items)
  const statements = file.statements.map((each) => ({
    ...each,
    opening: amount(each.opening),
    closing: amount(each.closing),
  }))
  const [first, last] = [statements[0], statements.at(-1)]
  const isOneAccount = statements.every(
    ({ account, currency }) => account === first?.account && currency === first?.currency,
  )
  const { from = null, to = null } = compared.period ?? {}
  const withoutStatus = [...resolved.values()].some(({ state, status }) => state === 'accepted' && status === null)
  const head = {
    ...{ file: file.name, format: file.format, from, to, days: options.days },
    entries: counts.entries,
    ...counts.kinds,
    applied: resolved.size,
    opening: isOneAccount ? (first?.opening ?? null) : null,
    closing: isOneAccount ? (last?.closing ?? null) : null,
    statements,
    items: [],
    warnings: [
      ...file.warnings,
      ...warnings,
      ...warningsOf(compared, options.apply ? 0 : counts.evidence),
      ...(withoutStatus ? [hintInWords(readStatuses, naming)] : []),
    ],
  }
  async function* results(): AsyncGenerator<ReconciledItem> {
    for (const item of items) {
      yield await itemResult(item, file, { journal, naming, now: resolved.get(item.payout?.journalId ?? '') ?? null })
    }
  }
  return { head, count: counts.all, items: results }
}

/** `open`: payouts that --apply would resolve. */
function warningsOf({ days, period }: MatchOptions, open: number): readonly string[] {
  const [are, them] = open === 1 ? ['is', 'it'] : ['are', 'them']
  const isShort = period !== null && nextDay(period.from, days) > period.to
  return [
    ...(open > 0
      ? [`${howMany(open, 'payout')} on the statement ${are} not resolved in the journal: --apply resolves ${them}`]
      : []),
    ...(isShort ? [`the statement covers less than --days ${days}, so no payout is reported as missing yet`] : []),
  ]
}

function countItems(items: Iterable<Item>) {
  const kinds = Object.fromEntries(itemKinds.map((kind) => [kind, 0])) as Record<Kind, number>
  const counts = { all: 0, entries: 0, evidence: 0, kinds }
  for (const item of items) {
    counts.all += 1
    if (item.booking !== null) counts.entries += 1
    if (isEvidence(item)) counts.evidence += 1
    kinds[item.kind] += 1
  }
  return counts
}

/** A part of the items, or all of them, as one document. */
export async function documentOf(
  { head, items }: Reconciled,
  isWanted: (item: ReconciledItem, kept: number) => boolean = () => true,
): Promise<Reconciliation> {
  const wanted: ReconciledItem[] = []
  for await (const item of items()) if (isWanted(item, wanted.length)) wanted.push(item)
  return { ...head, items: wanted }
}

function amount(units: bigint | null | undefined): JsonNumber | null {
  return units == null ? null : new JsonNumber(fromMinorUnits(units))
}

interface Context {
  readonly journal: Journal
  readonly naming: Naming
  /** The payout as it is behind --apply; null where that changed nothing. */
  readonly now: Intent | null
}

async function itemResult(item: Item, file: BankFile, context: Context): Promise<ReconciledItem> {
  const { kind, by, payout, candidates, reason } = item
  const booking = item.booking === null ? null : (file.bookings[item.booking] ?? null)
  return {
    ...{ kind, by },
    entry: booking && entryResult(booking, file),
    journalId: payout?.journalId ?? null,
    key: payout?.key ?? null,
    state: context.now?.state ?? payout?.state ?? null,
    amount: amount(payout?.units),
    currency: payout?.currency ?? null,
    candidates,
    reason: payout?.conflict ? `${reason}; the journal says: ${payout.conflict}` : reason,
    applied: context.now !== null,
    next: await nextLine(item, booking, file, context),
  }
}

function entryResult(booking: Booking, file: BankFile): ReconciledItem['entry'] {
  const { entry, day, direction, sum, charges, account, name, text, endToEndId, returnReason } = booking
  const statement = file.statements[booking.statement]?.id ?? ''
  return {
    ...{ statement, entry, day, direction },
    ...{ amount: amount(sum?.units), currency: sum?.currency ?? null, charges: charges > 0n ? amount(charges) : null },
    ...{ account, name, text, endToEndId, returnReason },
  }
}

/** The line for what a person has to decide; null where nothing is left to do. */
async function nextLine(
  { kind, by, payout }: Item,
  booking: Booking | null,
  file: BankFile,
  { journal, naming }: Context,
): Promise<string | null> {
  if (payout === null || booking === null) return null
  if (kind === 'returned') return hintInWords(await payAnew(journal, payout), naming)
  const isOpen = payout.state === 'unknown' || payout.state === 'turned-away' || payout.conflict !== null
  const isOfOperator = by === 'sum' || payout.state === 'turned-away' || payout.conflict !== null
  if (!isOpen || !isOfOperator || (kind !== 'matched' && payout.state !== 'turned-away')) return null
  const because = evidenceInWords(file, booking, by ?? 'sum')
  const { journalId } = payout
  const line = paste('resume', journalId, '--settle', 'executed', '--because', because, '--confirm', journalId)
  return hintInWords(hint`${line}`, naming)
}

/** The same payout under a new key. What was removed from the journal is left to the reader. */
async function payAnew(journal: Journal, { journalId, key }: Payout): Promise<Hint> {
  const [intent] = (await journal.list({ named: journalId })).filter((each) => each.journalId === journalId)
  const fields = Object.entries(intent ? requestIn(intent.body) : {}).filter(([name]) => name !== 'uniqueId')
  const flags = fields.flatMap(([name, value]) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return [`--${flag}`, typeof value === 'string' ? value : blank(`<${flag}>`)]
  })
  const line = hint`${paste('payout create', '--key', `${key ?? journalId}:again`, ...flags)}`
  return intent ? ofProfile(line, intent.profile) : line
}

/** The failure of a reconciliation with exceptions: 7 where a sum differs, else 10. Null where all is matched. */
export function exceptionIn({ head }: Reconciled, document: Reconciliation | undefined): Failure | null {
  const { different, returned, notInJournal, notOnStatement, ambiguous } = head
  const counts = {
    different,
    returned,
    'not in this journal': notInJournal,
    'not on the statement': notOnStatement,
    ambiguous,
  }
  const found = Object.entries(counts).filter(([, count]) => count > 0)
  if (found.length === 0) return null
  const words = found.map(([what, count]) => `${count} ${what}`).join(', ')
  return new Failure(different > 0 ? 'duplicate' : 'partial', `the statement and the journal do not agree: ${words}`, {
    document,
    moneyMoved: 'no',
    retry: 'never',
  })
}
