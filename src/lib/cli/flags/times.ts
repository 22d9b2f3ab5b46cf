/** Times as flags take them: lengths such as 500ms, 30s or 2m, and moments: a time back from now, or a local date. */
import { Errors, Flags } from '@oclif/core'
import { Failure } from '../../failure.ts'
import type { Invocation } from '../invocation.ts'
import { dayAfter, momentAt, type Zone, zonedTime, zoneIn } from '../output/time.ts'

const factors: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a time; null where the text is none. */
export function readDuration(text: string): number | null {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  if (!parts) return null
  const milliseconds = Math.round(Number(parts[1]) * (factors[parts[2] ?? 's'] ?? 1000))
  return milliseconds <= 2 ** 31 - 1 ? milliseconds : null
}

/** A flag that takes a time and gives milliseconds. */
export const durationFlag = Flags.custom<number>({
  parse: async (text, _context, { name }) => {
    const milliseconds = readDuration(text)
    // oclif writes into what is thrown here: the base of the commands cleans it as every complaint of the parser.
    if (milliseconds === null) {
      throw new Errors.CLIError(`--${name} takes a time like 500ms, 30s or 2m, not "${text}"`)
    }
    return milliseconds
  },
})

/** The time in which listed things were made, as people say it: today, yesterday, two days back, from a day on. */
export interface PeriodFlags {
  readonly today: boolean
  readonly yesterday: boolean
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** ISO times, UTC; null where that end is open. */
interface Period {
  readonly since: string | null
  readonly until: string | null
}

const lengths: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

function iso(moment: number): string {
  return new Date(moment).toISOString()
}

function back(typed: string, now: number): number | null {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(typed) ?? []
  return count === undefined ? null : now - Number(count) * (lengths[unit] ?? 0)
}

function onClock(typed: string, zone: Zone): number | null {
  const [, date, time = '00:00', zoned] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?))?(Z|[+-]\d{2}:\d{2})?$/.exec(typed) ?? []
  if (date === undefined) return null
  if (zoned === undefined) return momentAt(date, time, zone)
  const moment = momentAt(date, time, 'UTC') === null ? Number.NaN : Date.parse(`${date}T${time}${zoned}`)
  return Number.isNaN(moment) ? null : moment
}

/** ISO, UTC. Throws usage (2) for what is no time. */
function momentTyped(flag: string, typed: string, now: number, zone: Zone): string {
  const word = typed.trim()
  const day = word === 'today' ? 0 : word === 'yesterday' ? -1 : null
  const moment = day === null ? (back(word, now) ?? onClock(word, zone)) : startOfDay(now, day, zone)
  // Nothing was made before the service.
  if (moment !== null && moment >= 0 && moment <= 8.64e15) return iso(moment)
  throw new Failure(
    'usage',
    `--${flag} takes an age like 2d, 3h or 1w, a local date like 2026-11-20 or 2026-11-20T09:30, today or yesterday, not "${typed}"`,
  )
}

/** The moment at which a day begins, so many days from today. */
const startOfDay = (now: number, days: number, zone: Zone) =>
  momentAt(dayAfter(zonedTime(now, zone).date, days), '00:00', zone) ?? now

const dayOf = (now: number, days: number, zone: Zone): Period => ({
  since: iso(startOfDay(now, days, zone)),
  until: iso(startOfDay(now, days + 1, zone)),
})

/** Throws usage (2) for what is no time, and for an end that is not after the beginning. */
export function periodOf({ today, yesterday, since, until }: PeriodFlags, now: number, zone: Zone): Period {
  if (today) return dayOf(now, 0, zone)
  if (yesterday) return dayOf(now, -1, zone)
  const period = {
    since: since === undefined ? null : momentTyped('since', since, now, zone),
    until: until === undefined ? null : momentTyped('until', until, now, zone),
  }
  if (period.since !== null && period.until !== null && period.until <= period.since) {
    throw new Failure('usage', '--until must be later than --since')
  }
  return period
}

/** ISO, UTC. Throws usage (2). */
export function typedMoment({ edge: { clock, env } }: Pick<Invocation, 'edge'>, flag: string, typed: string): string {
  return momentTyped(flag, typed, clock.now(), zoneIn(env))
}

/** Flags of a list by the time at which its things were received, opened, … */
export const sinceAndUntil = (done: string) => ({
  since: Flags.string({ description: `only those ${done} at or after this time`, helpValue: '2026-11-20[T09:00]' }),
  until: Flags.string({ description: `only those ${done} before this time`, helpValue: '2026-11-21[T09:00]' }),
})

/** The ends that were typed: ISO, UTC. Throws usage (2). */
export function typedPeriod(
  invocation: Pick<Invocation, 'edge'>,
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
): { readonly since?: string; readonly until?: string } {
  return {
    ...(since === undefined ? {} : { since: typedMoment(invocation, 'since', since) }),
    ...(until === undefined ? {} : { until: typedMoment(invocation, 'until', until) }),
  }
}
