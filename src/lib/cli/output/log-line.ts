/** Lines for a log, where nobody sits at a terminal: each says by itself when it was written and which payment it is about. */
import type { Reference } from '../../client/exchange.ts'
import { type Zone, zonedTime } from '../time/zoned-time.ts'

/** A value that stands as one word: "emp 17" → "\"emp 17\"". */
function word(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}

/** "2026-11-20T14:03:25+04:00 key=emp-17 id=5a9d… the text", before every line of the text. `moment`: milliseconds since 1970. */
export function logLines(text: string, { key, id }: Reference, moment: number, zone: Zone): string {
  const { date, time, offset } = zonedTime(moment, zone)
  const words = [
    `${date}T${time}${offset}`,
    ...(key === null ? [] : [`key=${word(key)}`]),
    ...(id === null ? [] : [`id=${word(id)}`]),
  ]
  return text
    .split('\n')
    .map((line) => `${words.join(' ')} ${line}`)
    .join('\n')
}
