/** A command line in the width of a terminal, broken so that it can be pasted: between words of the shell, never inside one. */
import { widthOf } from './wrap.ts'

/** Words as a shell parts them: quotes and `$( )` hold blanks. */
const shellWords = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\$\([^)]{0,200}\)|\$(?!\()|\\.|[^\s"'\\$])+/g

/** Words that stay on one line where it has room for them: a flag, and its value behind it. */
function pieces(line: string): readonly string[] {
  const words = line.match(shellWords) ?? []
  const found: string[] = []
  for (const word of words) {
    const before = found.at(-1)
    const isValue = before !== undefined && /^--?[a-z][\w-]*$/i.test(before) && !/^[-|<>;&]/.test(word)
    if (isValue) found.push(`${found.pop()} ${word}`)
    else found.push(word)
  }
  return found
}

/** The rows that a line takes where each has so many columns; the further ones stand two columns in. */
function filled(words: readonly string[], columns: number): readonly string[] {
  const rows: string[] = []
  for (const word of words) {
    const row = rows.at(-1)
    if (row !== undefined && widthOf(row) + 1 + widthOf(word) <= columns) rows.push(`${rows.pop()} ${word}`)
    else rows.push(rows.length === 0 ? word : `  ${word}`)
  }
  return rows
}

/**
 * The line in rows of at most so many columns, but for a word that is longer; `goesOn` is the character that continues a
 * command on the next line.
 */
export function shellLine(line: string, columns: number, goesOn: string): string {
  if (widthOf(line) <= columns) return line
  const room = columns - goesOn.length - 1
  const fitting = pieces(line).flatMap((piece) =>
    widthOf(piece) + 2 <= room ? [piece] : (piece.match(shellWords) ?? []),
  )
  return filled(fitting, room).join(` ${goesOn}\n`)
}
