/** The payouts that count against limits now, read in the transaction that decides. */
import { limitedOperations } from '../../contract/payout/limited.ts'
import type { ServicePlace } from '../../contract/service.ts'
import { type Limit, type LimitSpan, limitSpans } from '../../spending/limit.ts'
import { nothingSpent, type Spending, type Spent } from '../../spending/spent.ts'
import { dayStart, hourLength, minuteLength } from '../../spending/window.ts'
import type { JournalReader } from '../../store/journal/schema.ts'
import { minuteOf, type SpentSum, spentByMinute, spentSince, spentWithin } from '../../store/journal/spent.ts'
import { uncountedStates } from './counted.ts'

/**
 * The payouts of one client of a service, whichever profile sent them: as far as the limits need them. `now`: milliseconds
 * since 1970. Those that were opened later, before a clock was set back, count as well.
 */
export async function spentNow(
  db: JournalReader,
  place: ServicePlace,
  limits: readonly Pick<Limit, 'per'>[],
  now: number,
): Promise<Spent> {
  const needs = (span: LimitSpan) => limits.some(({ per }) => per === span)
  return {
    day: needs('day') ? await today(db, place, now) : nothingSpent.day,
    hour: needs('hour') ? await lastHour(db, place, now) : nothingSpent.hour,
  }
}

/** Everything of a client, whatever limits there are. */
export const everySpan: readonly Pick<Limit, 'per'>[] = limitSpans.map((per) => ({ per }))

function isoOf(moment: number): string {
  return new Date(moment).toISOString()
}

function spending({ currency, payouts, units }: SpentSum, until: number): Spending {
  return { currency, payouts, units, until }
}

async function today(db: JournalReader, place: ServicePlace, now: number): Promise<Spending[]> {
  const sums = await spentSince(db, place, minuteOf(isoOf(dayStart(now))))
  return sums.map((sum) => spending(sum, now))
}

/** Whole minutes as they were added up, and of the one that the hour begins in what is not older than that. */
async function lastHour(db: JournalReader, place: ServicePlace, now: number): Promise<Spending[]> {
  // A payout that is exactly an hour old counts no more.
  const from = now - hourLength + 1
  const whole = Math.ceil(from / minuteLength) * minuteLength
  const piece = { from: isoOf(from), before: isoOf(whole), operations: limitedOperations, free: uncountedStates }
  const first = await spentWithin(db, place, piece)
  const minutes = await spentByMinute(db, place, minuteOf(isoOf(whole)))
  return [
    ...first.map((sum) => spending(sum, Date.parse(sum.last))),
    ...minutes.map((sum) => spending(sum, Date.parse(`${sum.minute}:59.999Z`))),
  ]
}
