/**
 * What was sent, added up for the limits of a profile. An intent counts once, by its first attempt. One that was refused, did not
 * leave, or is held gives its sum back. `hold.ts` compares the sums with the limits.
 */
import { countInDay } from '../approvals/ruling.ts'
import { limitedOperations } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
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
  type Spending,
  type Spent,
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
import { type Intent, intentOf } from './intent.ts'
import { type IntentChange, keepRemoved } from './row.ts'

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
