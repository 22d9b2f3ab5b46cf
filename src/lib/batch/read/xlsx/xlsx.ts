/** XLSX: the only sheet with content. The file is whole in memory, its rows are streamed. */
import { BrokenFile } from '../file.ts'
import { type BatchFile, complaintAt, type OpenedFile, type ReadOptions } from '../row.ts'
import { onlyComplaints, readTable, type TableRow } from '../table.ts'
import { SheetReader } from './sheet.ts'
import { partParser, readWorkbook, type Workbook } from './workbook.ts'
import { type Archive, openArchive } from './zip.ts'

const largest = 20 * 1000 * 1000

async function wholeOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > largest) throw new BrokenFile('is larger than 20 MB: save it as CSV', 'as a whole')
  }
  return Buffer.concat(chunks)
}

function* groupsOf(archive: Archive, workbook: Workbook, part: string): Generator<TableRow[]> {
  const reader = new SheetReader(workbook)
  const xml = partParser(reader)
  for (const piece of archive.text(part)) {
    xml.write(piece)
    const rows = reader.taken()
    if (rows.length > 0) yield rows
  }
  xml.end()
}

/** The part of the only visible sheet with content. */
function onlySheet(archive: Archive, workbook: Workbook): string {
  const filled = workbook.sheets.flatMap(({ name, isVisible, part }) => {
    const hasRows = isVisible && part !== null && !groupsOf(archive, workbook, part).next().done
    return hasRows ? [{ name, part }] : []
  })
  const [sheet] = filled
  if (!sheet) throw new BrokenFile('has no rows', 'as a whole')
  if (filled.length === 1) return sheet.part
  const names = filled.map(({ name }) => `"${name}"`).join(', ')
  throw new BrokenFile(
    `has ${filled.length} sheets with something in them (${names}): save one of them by itself`,
    'as a whole',
  )
}

async function* rowsOf(archive: Archive, workbook: Workbook, part: string): AsyncGenerator<TableRow[]> {
  yield* groupsOf(archive, workbook, part)
}

export async function readXlsx({ name, bytes }: OpenedFile, options: ReadOptions): Promise<BatchFile> {
  const about = { name, format: 'xlsx', encoding: 'UTF-8', delimiter: null } as const
  try {
    const archive = await openArchive(await wholeOf(bytes.all))
    const workbook = readWorkbook(archive)
    const table = await readTable(rowsOf(archive, workbook, onlySheet(archive, workbook)), options, true)
    return { ...about, ...table }
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error
    return { ...about, ...onlyComplaints([complaintAt({}, error.message)]) }
  }
}
