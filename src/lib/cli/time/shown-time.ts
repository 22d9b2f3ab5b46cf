/**
 * Times as people see them, on every screen: those of paydesk (UTC) on the clock of this machine, with its zone; one of the
 * service that names no zone as it came, and said to have none. JSON keeps every time as it is.
 */
import { type Zone, zonedTime } from './zoned-time.ts'

const day = String.raw`\d{4}-\d{2}-\d{2}`
const time = String.raw`\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?`
const inUtc = new RegExp(`\\b${day}T${time}Z(?![\\w-])`, 'g')
const wholeUtc = new RegExp(`^${day}T${time}Z$`)
const zoneless = new RegExp(`^${day}[T ]${time}$`)

const noZone = 'zone not told'

interface Clocked {
  readonly text: string
  readonly zone: string
}

/** `iso`: in UTC. Null where there is no such moment. */
function clocked(iso: string, zone: Zone): Clocked | null {
  const moment = Date.parse(iso)
  if (Number.isNaN(moment)) return null
  const { date, time: clock, offset } = zonedTime(moment, zone)
  return { text: `${date} ${clock}`, zone: `UTC${offset}` }
}

/** A sentence or a cell: "until 2026-11-20 14:03:25 (UTC+04:00)". What stands in backticks is a line to paste, and stays. */
export function timesShown(text: string, zone: Zone): string {
  if (zoneless.test(text)) return `${text} (${noZone})`
  if (!text.includes('Z')) return text
  return text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? part : part.replace(inUtc, (iso) => inWords(iso, zone))))
    .join('`')
}

function inWords(iso: string, zone: Zone): string {
  const found = clocked(iso, zone)
  return found === null ? iso : `${found.text} (${found.zone})`
}

/** The column of a table: what all its times share of their zone stands once, in its head. */
export function timesInColumn(
  head: string,
  cells: readonly string[],
  zone: Zone,
): readonly [string, readonly string[]] {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length > 0 && filled.every((cell) => zoneless.test(cell))) return [`${head} (${noZone})`, cells]
  if (filled.length === 0 || !filled.every((cell) => wholeUtc.test(cell)))
    return [head, cells.map((cell) => timesShown(cell, zone))]
  const found = cells.map((cell) => (cell === '' ? null : clocked(cell, zone)))
  const zones = new Set(found.flatMap((each) => (each === null ? [] : [each.zone])))
  const [only, another] = zones
  if (only === undefined || another !== undefined) return [head, cells.map((cell) => timesShown(cell, zone))]
  return [`${head} (${only})`.trim(), found.map((each) => each?.text ?? '')]
}
