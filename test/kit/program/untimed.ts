/** What a command wrote for a log, without the time, key and id that stand before each line where there is no terminal. */

const before = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d (?:key=(?:"(?:[^"\\]|\\.)*"|\S+) )?(?:id=\S+ )?/gm

/** "2026-11-20T14:03:25+04:00 key=emp-17 warning: …" → "warning: …", of every line. */
export function untimed(text: string): string {
  return text.replace(before, '')
}
