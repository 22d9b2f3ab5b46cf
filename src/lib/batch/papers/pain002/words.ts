/** Words as banks take them: their letters, and lines of a length that the message has room for. */

const spelled: Readonly<Record<string, string>> = {
  '"': "'",
  '`': "'",
  '’': "'",
  '‘': "'",
  '“': "'",
  '”': "'",
  ';': ',',
  _: '-',
  '–': '-',
  '—': '-',
  '…': '...',
  '=': ':',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '&': '+',
  '%': ' per cent',
}

/** A text of paydesk or of the service, never one of a payment: its letters are changed. */
export function bankWords(text: string): string {
  const letters = text.replace(/[^A-Za-z0-9\u10D0-\u10FF/\-?:().,'+ ]/gu, (each) => {
    return spelled[each] ?? (/\s/.test(each) ? ' ' : '.')
  })
  return letters.replace(/ {2,}/g, ' ').trim()
}

const longestLine = 105
/** A support person reads the first sentences; the rest stands in the journal. */
const mostLines = 4

/** The words in lines, broken between words where there is a place for it. */
export function bankLines(text: string): readonly string[] {
  const lines: string[] = []
  let rest = bankWords(text)
  while (rest !== '' && lines.length < mostLines) {
    const blank = rest.length <= longestLine ? rest.length : rest.lastIndexOf(' ', longestLine)
    const end = blank > 0 ? blank : longestLine
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trim()
  }
  return lines
}
