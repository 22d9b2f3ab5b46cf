/**
 * Times of people: the zone of this machine or of TZ, and times of paydesk (UTC) shown on its clock. JSON keeps every
 * time as it is.
 */
import type { Environment } from '../../edge.ts'

interface ZonedTime {
  /** "2026-11-20". */
  readonly date: string
  /** "14:03:25". */
  readonly time: string
  /** "+04:00". */
  readonly offset: string
}

/** A zone by its name; null for that of this machine. */
export type Zone = string | null

/** The zone that TZ names, where it is a name that Node knows. */
export function zoneIn({ TZ: name }: Environment): Zone {
  if (!name) return null
  try {
    new Intl.DateTimeFormat('en-CA', { timeZone: name })
    return name
  } catch {
    return null
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    ...({ hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'longOffset' } as const),
  })
  formats.set(zone, made)
  return made
}

/** The zone of this machine without Intl, whose first use takes a tenth of a short command. */
function machineTime(moment: number): ZonedTime {
  const ahead = -new Date(moment).getTimezoneOffset()
  const [date = '', time = ''] = new Date(moment + ahead * 60_000).toISOString().split(/[T.]/)
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  const offset = `${ahead < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
  return { date, time, offset }
}

/** A moment (milliseconds since 1970) as the clocks of the zone show it. */
export function zonedTime(moment: number, zone: Zone): ZonedTime {
  if (zone === null) return machineTime(moment)
  const found = formatOf(zone).formatToParts(moment)
  const of = (type: Intl.DateTimeFormatPartTypes) => found.find((part) => part.type === type)?.value ?? ''
  return {
    date: `${of('year')}-${of('month')}-${of('day')}`,
    time: `${of('hour')}:${of('minute')}:${of('second')}`,
    offset: of('timeZoneName').replace('GMT', '') || '+00:00',
  }
}

/** "2026-11-20 14:03:25 (UTC+04:00)" of an ISO time. */
export function momentInWords(iso: string, zone: Zone): string {
  const { date, time, offset } = zonedTime(Date.parse(iso), zone)
  return `${date} ${time} (UTC${offset})`
}

function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})/.exec(offset) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/** The moment at which the clocks of the zone show this; null where there is no such day or time. */
export function momentAt(date: string, time: string, zone: Zone): number | null {
  const shown = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(date)) return null
  const offsetAt = (moment: number) => minutesOf(zonedTime(moment, zone).offset) * 60_000
  const guess = shown - offsetAt(shown)
  // Near a change of the clocks the first guess lies on its other side.
  return shown - offsetAt(guess)
}

export function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

const day = String.raw`\d{4}-\d{2}-\d{2}`
const time = String.raw`\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?`
const inUtc = new RegExp(`\\b${day}T${time}Z(?![\\w-])`, 'g')
const wholeUtc = new RegExp(`^${day}T${time}Z$`)
const zoneless = new RegExp(`^${day}[T ]${time}$`)

const noZone = 'zone unknown'

/** A sentence or a cell: "until 2026-11-20 14:03:25 (UTC+04:00)". What stands in backticks is a line to paste, and stays. */
export function showTimes(text: string, zone: Zone): string {
  if (zoneless.test(text)) return `${text} (${noZone})`
  if (!text.includes('Z')) return text
  return text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? part : part.replace(inUtc, (iso) => inWords(iso, zone))))
    .join('`')
}

const inWords = (iso: string, zone: Zone) => (Number.isNaN(Date.parse(iso)) ? iso : momentInWords(iso, zone))

/** The column of a table: what all its times share of their zone stands once, in its head. */
export function timesInColumn(
  head: string,
  cells: readonly string[],
  zone: Zone,
): readonly [string, readonly string[]] {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length > 0 && filled.every((cell) => zoneless.test(cell))) return [`${head} (${noZone})`, cells]
  if (filled.length === 0 || !filled.every((cell) => wholeUtc.test(cell)))
    return [head, cells.map((cell) => showTimes(cell, zone))]
  // Each with its zone in brackets, which stands in the head where it is the same for all.
  const told = cells.map((cell) => /^([^(]*) \((UTC[^()]*)\)$/.exec(showTimes(cell, zone)))
  const [only, another] = new Set(told.flatMap((each) => each?.[2] ?? []))
  if (only === undefined || another !== undefined) return [head, cells.map((cell) => showTimes(cell, zone))]
  return [`${head} (${only})`.trim(), told.map((each) => each?.[1] ?? '')]
}
