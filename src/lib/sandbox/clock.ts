/**
 * The sandbox's clock: the machine's, and as many milliseconds ahead as the store says, so that the built-in sandbox
 * and a running server agree. Everything that has a time moves with it.
 */
import { z } from 'zod'
import { serviceZoneHours } from '../contract/assumed.ts'
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import type { Store } from '../store/engine/store.ts'
import type { SandboxTables } from '../store/sandbox/schema.ts'
import { changeWorld, clockOffset } from '../store/sandbox/world.ts'

export interface ClockState {
  readonly now: number
  /** Milliseconds ahead of the machine's. */
  readonly ahead: number
}

export async function clockState(store: Store<SandboxTables>, clock: Clock): Promise<ClockState> {
  const ahead = await store.ask(clockOffset)
  return { now: clock.now() + ahead, ahead }
}

/** Further on a subscription would have thousands of charges to catch up with. */
const latest = Date.UTC(2200, 0, 1)

/** Moves the clock to a moment; only forward, because what has happened stays. */
export async function moveClock(
  store: Store<SandboxTables>,
  clock: Clock,
  to: (now: number) => number,
): Promise<ClockState> {
  return await store.write(async (db) => {
    const offset = await clockOffset(db)
    const now = clock.now() + offset
    const moment = to(now)
    if (moment < now) {
      throw new Failure('usage', `the clock only goes forward, and ${utcTime(moment)} is over: it is ${utcTime(now)}`, {
        hints: [hint`\`${paste('sandbox reset')}\` starts anew, at the present time.`],
      })
    }
    if (moment > latest) throw new Failure('usage', 'the clock cannot be set so far ahead')
    const ahead = offset + moment - now
    await changeWorld(db, { clock_offset: ahead })
    return { now: moment, ahead }
  })
}

const zone = serviceZoneHours * 3_600_000

/** The zone in which the service's times are, for people. */
export const serviceZone = `UTC+${serviceZoneHours}`

/** Midnight at the service of a day yyyy-MM-dd. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) - zone
}

export function utcTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** The service's local time without zone, with so many digits of the second's fraction. */
export function localTime({ created, nanoseconds }: { created: number; nanoseconds: number }, digits: 6 | 9): string {
  const shifted = new Date(created + zone).toISOString()
  const fraction = shifted.slice(20, 23) + String(nanoseconds).padStart(6, '0')
  return `${shifted.slice(0, 19)}.${fraction.slice(0, digits)}`
}

/** The same of a moment that is known to the millisecond. */
export function localMoment(milliseconds: number): string {
  return localTime({ created: milliseconds, nanoseconds: 0 }, 6)
}

// A stretch of time as people type it to move a clock: `90s`, `5m`, `24h`, `35d`, `8w`. A bare number is seconds.

const factors: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Milliseconds; null where the text is none. */
export function readLongTime(text: string): number | null {
  const [, count, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|[smhdw])?$/.exec(text.trim()) ?? []
  return count === undefined ? null : Math.round(Number(count) * (factors[unit] ?? 1000))
}

export const sandboxMoment = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}$/)
  .describe("The sandbox's time, without a zone as the service's.")

export const sandboxTimeResult = z
  .strictObject({
    utc: z.string().regex(/Z$/).describe("The sandbox's time in UTC."),
    service: z.string().describe('The same at the service (Tbilisi), without a zone as the service writes it.'),
    aheadMilliseconds: z.int().min(0).describe("How far ahead of this machine's clock."),
  })
  .meta({ file: 'sandbox-clock', title: 'sandbox clock show|advance|set --json' })
