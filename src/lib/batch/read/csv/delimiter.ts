/** The delimiter of a CSV file, decided from its header alone: a comma in a row can stand in a sum. */

const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/** The cells of a first line, as far as a delimiter can be judged by them. */
function cellsOf(line: string, delimiter: string): readonly string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) break
    else if (!isQuoted && character === delimiter) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return [...cells, cell]
}

/** Lines in which the header is looked for. */
const mostLines = 30

/**
 * The one that parts the header into the most names that mean something, and of several the one that comes first. The header
 * is the first line, or a later one with two such names at least; where there is none, the first line with several cells.
 * A line `sep=;` says it for Excel, and for this program.
 */
export function delimiterOf(start: string, isKnown: (header: string) => boolean): Delimiter {
  const [, told] = /^sep=([,;\t])(?:[\r\n]|$)/i.exec(start.slice(0, 8)) ?? []
  if (told !== undefined) return told as Delimiter
  const lines = [start, ...start.split(/\r\n|\n|\r/, mostLines).slice(1)]
  const found = lines.flatMap((line, at) =>
    delimiters.map((delimiter) => {
      const cells = cellsOf(line, delimiter)
      const known = cells.filter(isKnown).length
      return { delimiter, at, known: at === 0 || known > 1 ? known : 0, cells: Math.min(cells.length, 999) }
    }),
  )
  const most = Math.max(...found.map(({ known }) => known))
  const header = found.find(({ known, cells }) => (most > 0 ? known === most : cells > 1))?.at ?? 0
  const ways = found.filter(({ at }) => at === header)
  return ways.reduce((a, b) => (b.known * 1000 + b.cells > a.known * 1000 + a.cells ? b : a)).delimiter
}

export const delimiterNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const
