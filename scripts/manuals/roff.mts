/**
 * Text as the man macros of roff take it. A writer of our own: packages that make manuals make them of Markdown, which has no
 * lists of terms, and bring a whole parser of it along.
 */

/** Characters that roff reads as its own, or draws as typographers would: in a command line they must stay what they are. */
const meant: Readonly<Record<string, string>> = {
  ...{ '\\': '\\e', '-': '\\-', "'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti', '"': '\\(dq' },
}

/** One line of text. A letter beyond ASCII is written by its number: readers guess encodings. */
export function roff(text: string): string {
  const escaped = [...text].map((letter) => {
    const point = letter.codePointAt(0) ?? 0
    const own = meant[letter]
    return own ?? (point > 126 ? `\\[u${point.toString(16).toUpperCase().padStart(4, '0')}]` : letter)
  })
  const line = escaped.join('')
  return line.startsWith('.') ? `\\&${line}` : line
}

/** Long words may be broken behind a bar or a stroke, as they are on a terminal. */
const breakable = (word: string) => (word.length > 24 ? word.replace(/[|/,=](?=\w)/g, '$&\\:') : word)

/** Columns of a line of the source: readers fill theirs anew. */
const sourceColumns = 78

/** Words in lines of the source; a line that would begin with a control character of roff does not. */
function inLines(words: readonly string[]): readonly string[] {
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= sourceColumns) lines.push(`${lines.pop()} ${word}`)
    else lines.push(word.startsWith('.') ? `\\&${word}` : word)
  }
  return lines
}

/** Text in which code stands between backticks. */
export function roffProse(text: string): readonly string[] {
  const parts = text.split(/(`[^`]+`)/).filter(Boolean)
  const shown = parts.map((part) => {
    const plain = part
      .split(' ')
      .map((word) => breakable(roff(word)))
      .join(' ')
    return /^`.+`$/.test(part) ? `\\fB${roff(part.slice(1, -1))}\\fR` : plain
  })
  return inLines(shown.join('').split(' ').filter(Boolean))
}

/** A macro with what it takes, each one word of roff. */
export function macro(name: string, ...words: readonly string[]): string {
  return [`.${name}`, ...words.map((word) => `"${word}"`)].join(' ')
}
