/**
 * The limits of a profile, held against what was sent. An intent counts once, by its first attempt. One that was
 * refused, did not leave, or is held gives its sum back. What does not fit is held.
 */
import { countInDay, rulingOn } from '../approvals/ruling.ts'
import { type Approvable, type Deciding, type Ruling, unruled } from '../approvals/subject.ts'
import { limitedOperations } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { Random } from '../edge.ts'
import {
  type Demand,
  dayStart,
  hourLength,
  type Limit,
  type LimitSpan,
  limitSpans,
  minuteLength,
  neededOf,
  nothingSpent,
  onePayout,
  type Spending,
  type Spent,
  shortagesInWords,
  shortagesOf,
} from '../spending.ts'
import { addIntent, changeIntent, recordedIntent } from '../store/journal/intents.ts'
import type { IntentRow, JournalReader, JournalWriter } from '../store/journal/schema.ts'
import {
  countSpent,
  isCounted,
  minuteOf,
  type SpentBy,
  type SpentSum,
  spentByMinute,
  spentSince,
  spentWithin,
} from '../store/journal/spent.ts'
import { type Draft, type Intent, intentOf } from './intent.ts'
import { bodyColumns, type IntentChange, keepRemoved, newRow, noLease } from './row.ts'

function isCountedPayout(row: IntentRow): boolean {
  return limitedOperations.includes(row.operation) && row.amount_minor !== '' && isCounted(row)
}

export async function insertAllCounted(
  db: JournalWriter,
  all: readonly Omit<IntentRow, 'digest'>[],
): Promise<IntentRow[]> {
  const intents: IntentRow[] = []
  for (const row of all) intents.push(await addIntent(db, row))
  await countSpent(
    db,
    intents.flatMap((intent) => spentChanges(null, intent)),
  )
  await countInDay(
    db,
    intents.filter(isCounted).map((intent) => [intent, 1]),
  )
  return intents
}

export async function insertCounted(db: JournalWriter, row: Omit<IntentRow, 'digest'>): Promise<IntentRow> {
  const [intent] = await insertAllCounted(db, [row])
  if (!intent) throw new TypeError('an intent that was inserted is missing')
  return intent
}

export async function changeCounted(db: JournalWriter, row: IntentRow, changes: IntentChange): Promise<IntentRow> {
  const changed = await changeIntent(db, row, changes)
  await countInDay(db, [
    ...(isCounted(row) ? [[row, -1] as const] : []),
    ...(isCounted(changed) ? [[changed, 1] as const] : []),
  ])
  await countSpent(db, spentChanges(row, changed))
  return changed
}

/** What is taken from the sums of payouts, and added to them, where an intent is new or changes. */
export function spentChanges(before: IntentRow | null, after: IntentRow): readonly SpentBy[] {
  const was = before !== null && isCountedPayout(before) ? before : null
  const is = isCountedPayout(after) ? after : null
  if (was && is && isSameCount(was, is)) return []
  return [...(was ? [[was, -1] as const] : []), ...(is ? [[is, 1] as const] : [])]
}

function isSameCount(one: IntentRow, other: IntentRow): boolean {
  return (['opened_at', 'amount_minor', 'currency'] as const).every((column) => one[column] === other[column])
}

/**
 * The payouts of one client, whichever profile sent them. Those opened later, before a clock was set back, count as
 * well.
 */
export async function readSpent(
  db: JournalReader,
  place: ServicePlace,
  limits: readonly Pick<Limit, 'per'>[],
  now: number,
): Promise<Spent> {
  const needs = (span: LimitSpan) => limits.some(({ per }) => per === span)
  const day = needs('day') ? await spentSince(db, place, minuteOf(isoOf(dayStart(now)))) : null
  return {
    day: day ? day.map((sum) => spending(sum, now)) : nothingSpent.day,
    hour: needs('hour') ? await readLastHour(db, place, now) : nothingSpent.hour,
  }
}

/** Whatever limits there are. */
export const everySpan: readonly Pick<Limit, 'per'>[] = limitSpans.map((per) => ({ per }))

const isoOf = (moment: number) => new Date(moment).toISOString()

function spending({ currency, payouts, units }: SpentSum, until: number): Spending {
  return { currency, payouts, units, until }
}

/** Whole minutes, and of the one that the hour begins in what is not older. */
async function readLastHour(db: JournalReader, place: ServicePlace, now: number): Promise<Spending[]> {
  // A payout that is exactly an hour old counts no more.
  const from = now - hourLength + 1
  const whole = Math.ceil(from / minuteLength) * minuteLength
  const piece = { from: isoOf(from), before: isoOf(whole), operations: limitedOperations }
  const first = await spentWithin(db, place, piece)
  const minutes = await spentByMinute(db, place, minuteOf(isoOf(whole)))
  return [
    ...first.map((sum) => spending(sum, Date.parse(sum.last))),
    ...minutes.map((sum) => spending(sum, Date.parse(`${sum.minute}:59.999Z`))),
  ]
}

/**
 * What may have been spent for payouts to fit the limits: since a minute, in a currency or of payouts (null). Of the last hour the whole
 * minute in which it begins. Null where they do not fit whatever was spent.
 */
export function roomFor(
  limits: readonly Limit[],
  demand: Demand,
  now: number,
): readonly { readonly since: string; readonly currency: string | null; readonly most: bigint }[] | null {
  if (shortagesOf(limits, demand, nothingSpent, now).length > 0) return null
  const since = { day: dayStart(now), hour: now - hourLength + 1 }
  return limits.flatMap((limit) => {
    const { currency, most, per } = limit
    const needed = neededOf(limit, demand)
    return per === 'payout' || needed === 0n
      ? []
      : [{ since: minuteOf(isoOf(since[per])), currency, most: most - needed }]
  })
}

export interface HeldDraft {
  readonly kind: 'held'
  readonly intent: Intent
  /** The open request to approve it (null: none); null where it waits for no approval. */
  readonly waits: { readonly asked: string | null } | null
}

export interface Allowed extends Approvable {
  /** None for writes that are no payouts. */
  readonly limits: readonly Limit[]
  /** True if it may send what is held already, which is asked for by its own id or key. */
  readonly sendsHeld: boolean
}

/** `because`: null where nothing holds it. */
export interface Decision {
  readonly because: string | null
  readonly ruling: Ruling
}

/** `isRunning`: one more attempt of the run that has it. */
export async function decideOnHolding(
  db: JournalReader,
  draft: Draft,
  row: IntentRow | null,
  allowed: Allowed & { readonly isRunning?: boolean },
  deciding: Deciding,
): Promise<Decision> {
  const limited = await findHoldingLimit(db, draft, row, allowed, deciding.now)
  if (row?.state === 'held' && !allowed.sendsHeld) return { because: limited, ruling: unruled }
  const ruling = await rulingOn(db, draft, row, allowed, deciding)
  return { because: limited ?? ruling.because, ruling }
}

/** Null where they do not. */
async function findHoldingLimit(
  db: JournalReader,
  draft: Draft,
  row: IntentRow | null,
  { limits, sendsHeld }: Allowed,
  now: number,
): Promise<string | null> {
  if (row?.state === 'held' && !sendsHeld) return row.because ?? 'over a limit'
  if (limits.length === 0 || draft.amountMinor === null || (row && isCounted(row))) return null
  return describeShortage(draft, limits, now, await readSpent(db, draft, limits, now))
}

/** In words; null where it fits. `now`: milliseconds since 1970. */
export function describeShortage(
  { currency, amountMinor }: Draft,
  limits: readonly Limit[],
  now: number,
  spent = nothingSpent,
): string | null {
  if (limits.length === 0 || amountMinor === null) return null
  const shortages = shortagesOf(limits, onePayout(currency ?? '', BigInt(amountMinor)), spent, now)
  return shortages.length === 0 ? null : `over a limit: ${shortagesInWords(shortages)}`
}

/** Keeps a draft as held; null where nothing holds it. It counts nothing, and no process has it. */
export async function holdDraft(
  db: JournalWriter,
  draft: Draft,
  row: IntentRow | null,
  { because, ruling }: Decision,
  { now, random }: { readonly now: number; readonly random: Random },
): Promise<HeldDraft | null> {
  if (because === null) return null
  const iso = isoOf(now)
  const held = { state: 'held', because, operator_word: null, changed_at: iso, ...noLease, ...ruling.counted }
  // Consent was given when it was held first, unless something was tried since.
  const opened_at = row?.state === 'held' ? row.opened_at : iso
  const kept = row
    ? await changeCounted(db, row, { ...bodyColumns(draft), ...held, opened_at })
    : await insertCounted(db, { ...newRow(draft, random, iso, noLease), ...held })
  const waits = ruling.because === null ? null : { asked: ruling.asked }
  return { kind: 'held', intent: intentOf(kept), waits }
}

/** `at`: ISO time, UTC. */
export async function changeIntentRow(
  db: JournalWriter,
  row: IntentRow,
  changes: IntentChange | null,
  at: string,
): Promise<Intent> {
  if (changes === null) return intentOf(row)
  return intentOf(await changeCounted(db, row, { ...keepRemoved(row, changes), changed_at: at }))
}

/** Each on what the transaction reads: another read may have told of something else. */
export async function noteEach<Seen extends { readonly intent: Intent }>(
  db: JournalWriter,
  all: readonly Seen[],
  changesIn: (row: IntentRow, seen: Seen) => IntentChange | null,
  at: string,
): Promise<Intent[]> {
  const known: Intent[] = []
  for (const seen of all) {
    const row = await recordedIntent(db, seen.intent.journalId)
    known.push(await changeIntentRow(db, row, changesIn(row, seen), at))
  }
  return known
}
