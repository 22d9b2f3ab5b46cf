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

/** The one that parts the header into the most names that mean something, and of several the one that comes first. */
export function delimiterOf(start: string, isKnown: (header: string) => boolean): Delimiter {
  const scores = delimiters.map((delimiter) => {
    const cells = cellsOf(start, delimiter)
    return { delimiter, score: cells.filter(isKnown).length * 1000 + Math.min(cells.length, 999) }
  })
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a))
  return best.delimiter
}

export const delimiterNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const
