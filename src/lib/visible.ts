/**
 * Texts of other people with the characters made visible that move a terminal, reorder a line or show nothing: a name must not
 * repaint the sum or the account beside it. Every screen, page and JSON text that leaves the program passes through here.
 */

const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
/** The same without the tabs and line ends of a layout. */
const hiddenInLayout = /(?![\t\n\r])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** The name of the first character: "U+202E". */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The text on one line, every such character shown as its code point: "a\rb" → "a<U+000D>b". */
export function visible(text: string): string {
  return text.replace(hidden, (character) => `<${codePoint(character)}>`)
}

/** The same of a text of several lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** The same of a whole HTML page; no page holds such a character of its own. */
export function visiblePage(page: string): string {
  return page.replace(hiddenInLayout, (character) => `&lt;${codePoint(character)}&gt;`)
}

/** A JSON text with them escaped: the same data. */
export function escapedJson(json: string): string {
  return json.replace(hiddenInLayout, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}

/**
 * Cells of paydesk's own papers: one that a spreadsheet would take for a formula has an apostrophe before it, and so has one
 * that begins with an apostrophe and such a cell. So each cell can be given back as it was, which no library's rule allows.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

export function escapeFormula(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}

/** The cell that was escapeFormula. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}
