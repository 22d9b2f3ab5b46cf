/**
 * Text in lines of at most so many columns of a terminal, broken between words only: a word that no line holds stays whole, and so does
 * a line to paste between backticks. The terminal breaks them itself, and gives them whole to whoever copies them.
 */
import stringWidth from 'string-width'

/** Columns that a text takes. */
export function screenWidth(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}

/** Its words; a line to paste is one, and so is a sum with its currency. */
function wordsIn(text: string): readonly string[] {
  return text.match(/(?:`[^`]*`|\b[A-Z]{3} (?=\d)|[^ `])+|`/g) ?? []
}

export function brokenBetweenWords(text: string, columns: number): readonly string[] {
  if (screenWidth(text) <= columns) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of wordsIn(text)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && screenWidth(longer) > columns) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/** A line with what goes on of it further in; its own first blanks stay, and parts that stand apart have a line each. */
export function hanging(text: string, columns: number, further: number): string {
  if (screenWidth(text) <= columns) return text
  const before = /^ */.exec(text)?.[0] ?? ''
  const parts = text.slice(before.length).split(/ {2,}(?! )/)
  const indent = before.length + further
  const lines = parts.flatMap((part) => brokenBetweenWords(part, columns - indent))
  return lines.map((line, at) => (at === 0 ? before : ' '.repeat(indent)) + line).join('\n')
}
