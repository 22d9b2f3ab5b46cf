/**
 * Cells of paydesk's own papers: one that a spreadsheet would take for a formula has an apostrophe before it, and so has one
 * that begins with an apostrophe and such a cell. So each cell can be given back as it was, which no library's rule allows.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

export function defused(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell
}

/** The cell that was defused. */
export function undefused(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}
