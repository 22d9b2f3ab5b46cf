/** The records of a CSV text, strictly: a quote in the wrong place ends the reading, because nothing after it is certain. */
import { BrokenFile } from '../broken.ts'
import type { Delimiter } from './delimiter.ts'

/** A row that no spreadsheet makes: a quote that is never closed takes all the rest of the file for one cell. */
const longestRow = 1024 * 1024

const words: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'has a quote (") inside of a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE: 'has something behind the quote (") that ends a cell',
  CSV_QUOTE_NOT_CLOSED: 'has a quote (") that is never closed',
}

function brokenBy(error: Error): BrokenFile {
  if (error instanceof BrokenFile) return error
  const code = 'code' in error ? String(error.code) : ''
  return new BrokenFile(`${words[code] ?? error.message}; the rows after it cannot be told apart`)
}

/** The text as far as it is one; the parser gives up its last record only when it knows that no more comes. */
async function* untilBroken(text: AsyncIterable<string>, tell: (error: BrokenFile) => void): AsyncGenerator<string> {
  try {
    yield* text
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    tell(error)
  }
}

/** The records in groups, as the text comes; the first is the header. Blank lines are records of one empty cell. */
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
      // At each record after the first with another number of cells it makes an error with a stack and a copy of everything, which nobody
      // asks for (`relax_column_count`): for blank lines that is nearly all of the work.
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
    for await (const piece of untilBroken(text, note)) {
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
