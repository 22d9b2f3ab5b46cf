/** What a terminal shows: its columns, text broken between words only, and the parts of a line that fit. */
import stringWidth from 'string-width'

/** The columns of a terminal; undefined where it tells none, or 0, as one does that nobody has given a size. */
export function terminalColumns({ columns }: { readonly columns?: number }): number | undefined {
  return columns || undefined
}

export function screenWidth(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}

/** Its words; a line to paste is one, and so is a sum with its currency. */
function wordsIn(text: string): readonly string[] {
  return text.match(/(?:`[^`]*`|\b[A-Z]{3} (?=\d)|[^ `])+|`/g) ?? []
}

/** A word that no line holds stays whole, and so does a line to paste between backticks: it is copied whole. */
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
export function hangingIndent(text: string, columns: number, further: number): string {
  if (screenWidth(text) <= columns) return text
  const before = /^ */.exec(text)?.[0] ?? ''
  const parts = text.slice(before.length).split(/ {2,}(?! )/)
  const indent = before.length + further
  const lines = parts.flatMap((part) => brokenBetweenWords(part, columns - indent))
  return lines.map((line, at) => (at === 0 ? before : ' '.repeat(indent)) + line).join('\n')
}

export type LinePart = readonly [weight: number, text: string]

const inLine = (parts: readonly LinePart[]) => parts.map(([, text]) => text).join(' ')

/** A line of at most so many columns: the least weighty parts are left out, the weightiest never. Empty ones are none. */
export function fittingParts(parts: readonly LinePart[], columns: number): string {
  let left = parts.filter(([, text]) => text !== '')
  while (left.length > 1 && screenWidth(inLine(left)) > columns) {
    const least = Math.min(...left.map(([weight]) => weight))
    left = left.filter(([weight]) => weight !== least)
  }
  return inLine(left)
}

export function cutToWidth(text: string, columns: number): string {
  if (screenWidth(text) <= columns) return text
  let cut = ''
  for (const character of text) {
    if (screenWidth(cut + character) > columns) break
    cut += character
  }
  return cut
}
