/** Lines for people on stderr: with local times, and at a terminal broken between words: it would break an account in two. */
import { toldColumns } from '../drawing/columns.ts'
import { hanging } from '../drawing/words.ts'
import { timesShown } from '../time/shown-time.ts'
import type { Zone } from '../time/zoned-time.ts'

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

export function saidOn(stream: Stream, text: string, zone: Zone): string {
  const columns = toldColumns(stream)
  const lines = text.split('\n').map((line) => timesShown(line, zone))
  if (!stream.isTTY || columns === undefined) return lines.join('\n')
  return lines.map((line) => hanging(line, columns, 2)).join('\n')
}
