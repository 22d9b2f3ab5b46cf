/** CSV: UTF-8 or UTF-16, the delimiter decided from the header, strict about quotes and columns. */
import { markOf, textOf } from '../bytes/text.ts'
import type { OpenedFile, ReadingOptions } from '../options.ts'
import type { BatchFile } from '../row.ts'
import { knownHeader } from '../rows/columns.ts'
import { type TableRow, tableOf } from '../rows/table.ts'
import { delimiterNames, delimiterOf } from './delimiter.ts'
import { recordsOf } from './records.ts'

async function* numbered(groups: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<readonly TableRow[]> {
  let number = 0
  for await (const group of groups) {
    yield group.map((cells) => {
      number += 1
      return { number, cells }
    })
  }
}

export async function readCsv({ name, bytes }: OpenedFile, options: ReadingOptions): Promise<BatchFile> {
  const mark = markOf(bytes.start)
  const encoding = mark?.encoding ?? 'UTF-8'
  const about = { name, format: 'csv', encoding } as const
  const start = new TextDecoder(encoding).decode(bytes.start)
  const delimiter = delimiterOf(start, knownHeader(options))
  const text = textOf(bytes.all, encoding, mark?.length ?? 0)
  const table = await tableOf(numbered(recordsOf(text, delimiter)), options)
  return { ...about, delimiter: delimiterNames[delimiter], ...table }
}
