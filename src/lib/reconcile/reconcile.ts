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
import { type Item, itemKinds, type Kind, Matching, nextDay, type Wish } from './match.ts'
import type { reconciliationResult } from './result.ts'
import { type BankFile, type Booking, commonText, refusedFile } from './statement.ts'

export type Reconciliation = ResultOf<typeof reconciliationResult>
export type ReconciledItem = Reconciliation['items'][number]

export interface ReconcileWish {
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
  /** Everything but the items. */
  readonly head: Reconciliation
  /** Of the items. */
  readonly count: number
  items(): AsyncGenerator<ReconciledItem>
}

/** What a run needs besides. */
export interface Around {
  readonly journal: Journal
  readonly signal: AbortSignal
  readonly naming: Naming
}

/** Bytes to see the format and the header by. */
const beginning = 64 * 1024

async function readStatement({ name, bytes }: FileToRead, map: ColumnMap | null): Promise<BankFile> {
  const peeked = await peekBytes(bytes, beginning)
  const format = formatOf(peeked.start)
  const why =
    typeof format === 'object'
      ? format.why
      : format === 'csv' || format === 'pain.001'
        ? null
        : 'is no bank statement: camt.053, camt.054 and CSV can be read'
  if (why !== null) {
    await peeked.all[Symbol.asyncIterator]().return?.()
    throw refusedFile(name, why)
  }
  // Both are XML.
  if (format === 'pain.001') return (await import('./camt.ts')).readCamt(name, peeked)
  return (await import('./csv.ts')).readCsvStatement(name, peeked, map ?? noMap)
}

/** The statements of one account, where one was chosen. */
function ofAccount(file: BankFile, account: string | null): BankFile {
  if (account === null) return file
  const isChosen = file.statements.map((each) => each.account === account)
  if (!isChosen.includes(true)) {
    const known = [...new Set(file.statements.flatMap((each) => each.account ?? []))]
    throw new Failure(
      'usage',
      `${file.name} has no statement of ${account}: it has ${known.join(', ') || 'none with an account'}`,
    )
  }
  const statements = file.statements.filter((_, at) => isChosen[at])
  const places = isChosen.map((chosen, at) => (chosen ? isChosen.slice(0, at).filter(Boolean).length : -1))
  const bookings = file.bookings.flatMap((each) => {
    const statement = places[each.statement] ?? -1
    return statement < 0 ? [] : [{ ...each, statement }]
  })
  return { ...file, statements, bookings }
}

function periodOf({ statements, bookings }: BankFile, { from, to }: ReconcileWish): Wish['period'] {
  const days = [
    ...statements.flatMap((each) => [each.from ?? [], each.to ?? []].flat()),
    ...bookings.flatMap(({ day }) => day ?? []),
  ]
  let [first, last] = [from, to]
  for (const day of days) {
    if (from === null && (first === null || day < first)) first = day
    if (to === null && (last === null || day > last)) last = day
  }
  return first === null || last === null ? null : { from: first, to: last }
}

const hour = 3_600_000

/** ISO text of midnight at the service. */
function startOf(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - serviceZoneHours * hour).toISOString()
}

const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/

function payoutOf(intent: Intent): Payout {
  const { journalId, businessKey, uniqueId, transactionId, payee, body, state, status } = intent
  const from = body.includes('"fromIban"') ? requestIn(body).fromIban : null
  const conflict = intent.otherSum ?? intent.answeredSum ?? intent.disputed
  const end = status === null || (state !== 'accepted' && state !== 'exists') ? null : payoutEnd(status)
  return {
    journalId,
    key: businessKey,
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

/** Payouts from before the days that are compared which the statement names. */
async function takeOld(
  matching: Matching,
  journal: Journal,
  profile: JournalFilter,
  since: string | null,
): Promise<void> {
  const { keys, uniqueIds, numbers } = matching.unclaimed()
  const dashed = uniqueIds.map((each) => each.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
  const wanted = [
    ['businessKeys', keys],
    ['uniqueIds', dashed],
    ['transactionIds', numbers],
  ] as const
  const taken = new Set<string>()
  for (const [name, all] of wanted) {
    for (let from = 0; from < all.length; from += atOnce) {
      const filter = { ...profile, operations: [createPayout], [name]: all.slice(from, from + atOnce) }
      for (const intent of await journal.list(filter)) {
        if (taken.has(intent.journalId) || (since !== null && intent.openedAt >= since)) continue
        taken.add(intent.journalId)
        matching.take(payoutOf(intent), true)
      }
    }
  }
}

export async function reconcile(
  statement: FileToRead,
  wish: ReconcileWish,
  { journal, signal, naming }: Around,
): Promise<Reconciled> {
  const file = ofAccount(await readStatement(statement, wish.map), wish.account)
  const period = periodOf(file, wish)
  const matching = new Matching(file, { days: wish.days, period })
  const profile = wish.profile === null ? {} : { profile: wish.profile }
  const since = period === null ? null : startOf(nextDay(period.from, -wish.days))
  if (period !== null && since !== null) {
    const time = { ...profile, since, until: startOf(nextDay(period.to, 1)) }
    for await (const page of readPages(journal, { ...time, operations: [createPayout] }, atOnce)) {
      signal.throwIfAborted()
      for (const intent of page) matching.take(payoutOf(intent))
    }
  }
  await takeOld(matching, journal, profile, since)
  const items = matching.end()
  const { resolved, warnings } = wish.apply
    ? await applyEvidence(journal, file, items, signal)
    : { resolved: new Map<string, Intent>(), warnings: [] }
  const counts = countItems(items)
  const open = wish.apply ? 0 : counts.evidence
  const first = file.statements[0]
  const isOneAccount = file.statements.every(
    ({ account, currency }) => account === first?.account && currency === first?.currency,
  )
  const one = open === 1
  const isShort = period !== null && nextDay(period.from, wish.days) > period.to
  const head = {
    ...{ file: file.name, format: file.format, from: period?.from ?? null, to: period?.to ?? null, days: wish.days },
    entries: counts.entries,
    ...counts.kinds,
    applied: resolved.size,
    opening: isOneAccount ? amount(first?.opening) : null,
    closing: isOneAccount ? amount(file.statements.at(-1)?.closing) : null,
    statements: file.statements.map((each) => ({
      ...each,
      opening: amount(each.opening),
      closing: amount(each.closing),
    })),
    items: [],
    warnings: [
      ...file.warnings,
      ...warnings,
      ...(open > 0
        ? [
            `${howMany(open, 'payout')} on the statement ${one ? 'is' : 'are'} not resolved in the journal: --apply resolves ${one ? 'it' : 'them'}`,
          ]
        : []),
      ...(isShort
        ? [`the statement covers less than --days ${wish.days}, so no payout is reported as missing yet`]
        : []),
    ],
  }
  async function* told(): AsyncGenerator<ReconciledItem> {
    for (const item of items) {
      yield await itemTold(item, file, { journal, naming, now: resolved.get(item.payout?.journalId ?? '') ?? null })
    }
  }
  return { head, count: counts.all, items: told }
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

interface Telling {
  readonly journal: Journal
  readonly naming: Naming
  /** The payout as it is behind --apply; null where that changed nothing. */
  readonly now: Intent | null
}

async function itemTold(item: Item, file: BankFile, telling: Telling): Promise<ReconciledItem> {
  const { kind, by, payout, candidates, reason } = item
  const booking = item.booking === null ? null : (file.bookings[item.booking] ?? null)
  return {
    ...{ kind, by },
    entry: booking && entryTold(booking, file),
    journalId: payout?.journalId ?? null,
    key: payout?.key ?? null,
    state: telling.now?.state ?? payout?.state ?? null,
    amount: amount(payout?.units),
    currency: payout?.currency ?? null,
    candidates,
    reason: payout?.conflict ? `${reason}; the journal says: ${payout.conflict}` : reason,
    applied: telling.now !== null,
    next: await nextLine(item, booking, file, telling),
  }
}

function entryTold(booking: Booking, file: BankFile): ReconciledItem['entry'] {
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
  { journal, naming }: Telling,
): Promise<string | null> {
  if (payout === null || booking === null) return null
  if (kind === 'returned') return hintInWords(await payAnew(journal, payout), naming)
  const isOpen = payout.state === 'unknown' || payout.state === 'turned-away' || payout.conflict !== null
  const isOfOperator = by === 'sum' || payout.state === 'turned-away' || payout.conflict !== null
  if (!isOpen || !isOfOperator || (kind !== 'matched' && payout.state !== 'turned-away')) return null
  const because = evidenceInWords(file, booking, by ?? 'sum')
  const line = paste(
    'resume',
    payout.journalId,
    '--settle',
    'executed',
    '--because',
    because,
    '--confirm',
    payout.journalId,
  )
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
export function exceptionIn({ head: told }: Reconciled, document: Reconciliation | undefined): Failure | null {
  const { different, returned, notInJournal, notOnStatement, ambiguous } = told
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
