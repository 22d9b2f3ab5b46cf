/** Finds the end of an object or list in a text that may be JSON, nearly JSON, JSON as a text in JSON, or cut off. */

/** Quotes with the backslashes before them, backslashes alone, brackets. */
const mark = /\\+["']?|["'[\]{}]/g
const quotes = /["']$/

/** True if these quotes, with the backslashes before them, end the text that the opening ones began. */
function ends(opening: string, closing: string): boolean {
  if (closing.at(-1) !== opening.at(-1)) return false
  const backslashes = closing.length - 1
  return opening.length === 1 ? backslashes % 2 === 0 : closing.length <= opening.length
}

/** The place behind the bracket that closes the one at `from`; the end of the text where none does. */
export function endOfNested(text: string, from: number): number {
  let depth = 0
  let inside: string | null = null
  mark.lastIndex = from
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [piece] = found
    if (quotes.test(piece)) {
      if (inside === null) inside = piece
      else if (ends(inside, piece)) inside = null
    } else if (inside === null && !piece.startsWith('\\')) {
      depth += piece === '[' || piece === '{' ? 1 : -1
      if (depth === 0) return mark.lastIndex
    }
  }
  return text.length
}
