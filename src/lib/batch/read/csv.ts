/** CSV in UTF-8 or UTF-16. The header decides the delimiter. A quote in a wrong place ends the reading. */

import { knownHeader } from './columns.ts'
import { BrokenFile, byteOrderMark, decodeText } from './file.ts'
import type { BatchFile, OpenedFile, ReadOptions } from './row.ts'
import { readTable, type TableRow } from './table.ts'

async function* numbered(groups: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<readonly TableRow[]> {
  let number = 0
  for await (const group of groups) {
    yield group.map((cells) => {
      number += 1
      return { number, cells }
    })
  }
}

export async function readCsv({ name, bytes }: OpenedFile, options: ReadOptions): Promise<BatchFile> {
  const mark = byteOrderMark(bytes.start)
  const encoding = mark?.encoding ?? 'UTF-8'
  const about = { name, format: 'csv', encoding } as const
  const start = new TextDecoder(encoding).decode(bytes.start)
  const delimiter = delimiterOf(start, knownHeader(options))
  const text = decodeText(bytes.all, encoding, mark?.length ?? 0)
  const table = await readTable(numbered(recordsOf(text, delimiter)), options)
  return { ...about, delimiter: delimiterNames[delimiter], ...table }
}

// The delimiter. Only the header decides it, because a comma in a row can be a part of a sum.

const delimiters = [',', ';', '\t'] as const
type Delimiter = (typeof delimiters)[number]

/** The cells of a first line, split by one of the delimiters. */
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

/** Lines in which the header is searched. */
const mostLines = 30

/**
 * The delimiter that splits the header into the most known names; of equal ones the first. The header is the first line, or a later
 * line with two known names; without such a line, the first line with several cells. A line `sep=;` decides it, as in Excel.
 */
export function delimiterOf(start: string, isKnown: (header: string) => boolean): Delimiter {
  const [, named] = /^sep=([,;\t])(?:[\r\n]|$)/i.exec(start.slice(0, 8)) ?? []
  if (named !== undefined) return named as Delimiter
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

const delimiterNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const

// The records, strictly: after a quote in a wrong place no record is certain.

/** No spreadsheet makes a longer row. A quote that is never closed would take the rest of the file for one cell. */
const longestRow = 1024 * 1024

const words: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'has a quote (") inside a cell that does not begin with a quote',
  CSV_INVALID_CLOSING_QUOTE: 'has text after the quote (") that ends a cell',
  CSV_QUOTE_NOT_CLOSED: 'has a quote (") that is never closed',
}

function brokenBy(error: Error): BrokenFile {
  if (error instanceof BrokenFile) return error
  const code = 'code' in error ? String(error.code) : ''
  return new BrokenFile(`${words[code] ?? error.message}; the rows after it cannot be read`)
}

/** The text up to the point where it is broken, so that the parser gives out its last record. */
async function* textBeforeDamage(
  text: AsyncIterable<string>,
  tell: (error: BrokenFile) => void,
): AsyncGenerator<string> {
  try {
    yield* text
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    tell(error)
  }
}

/** The records in groups, the header first. A blank line is a record of one empty cell. */
export async function* recordsOf(
  text: AsyncIterable<string>,
  delimiter: Delimiter,
): AsyncGenerator<readonly (readonly string[])[]> {
  const { Parser } = await import('csv-parse')
  let ready: string[][] = []
  const parser = new Parser({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    on_record: (record: string[]) => {
      ready.push(record)
      // For each record with another number of cells than the first, csv-parse makes an error with a stack and a copy of everything,
      // although `relax_column_count` is set: for blank lines that is nearly all of the work.
      info.records = 0
      return null
    },
  })
  const info: { records: number } = parser.info
  let broken: Error | null = null
  const note = (error: Error) => {
    broken ??= error
  }
  parser.on('error', note)
  const group = () => {
    const taken = ready
    ready = []
    return taken
  }
  let sinceRecord = 0
  const written = (put: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve) => put(() => resolve()))
  try {
    for await (const piece of textBeforeDamage(text, note)) {
      const bytes = Buffer.from(piece)
      await written((done) => parser.write(bytes, done))
      sinceRecord = ready.length > 0 ? 0 : sinceRecord + bytes.length
      if (ready.length > 0) yield group()
      if (broken) throw brokenBy(broken)
      if (sinceRecord > longestRow)
        throw new BrokenFile('is longer than 1 MiB: is there a quote (") that is never closed?')
    }
    await written((done) => {
      parser.once('error', done)
      parser.once('end', done)
      parser.resume()
      parser.end()
    })
    if (ready.length > 0) yield group()
    if (broken) throw brokenBy(broken)
  } finally {
    parser.destroy()
  }
}
