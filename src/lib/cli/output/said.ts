/** Lines for people on stderr: with local times, and at a narrow terminal broken between words. */
import { toldColumns } from '../drawing/columns.ts'
import { hanging } from '../drawing/words.ts'
import { timesShown } from '../time/shown-time.ts'
import type { Zone } from '../time/zoned-time.ts'

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Columns up to which lines are broken here; a wider terminal has few that it would break, and gives those whole to be copied. */
const narrow = 80

export function saidOn(stream: Stream, text: string, zone: Zone): string {
  const columns = toldColumns(stream)
  const lines = text.split('\n').map((line) => timesShown(line, zone))
  if (!stream.isTTY || columns === undefined || columns > narrow) return lines.join('\n')
  return lines.map((line) => hanging(line, columns, 2)).join('\n')
}
