/** Reads a file of payouts: its format, its header, and its rows as they come. Nothing of it is guessed. */
import { peek } from './bytes/peeked.ts'
import type { FileToRead } from './file.ts'
import { formatOf } from './format.ts'
import type { OpenedFile, ReadingOptions } from './options.ts'
import { type BatchFile, complaintAt, type FileFormat } from './row.ts'

/** Bytes to see the format and the header by. */
const beginning = 64 * 1024

type Reader = (file: OpenedFile, options: ReadingOptions) => Promise<BatchFile>

/** Loaded when a file has this format. */
const readers: Readonly<Record<FileFormat, () => Promise<Reader>>> = {
  csv: async () => (await import('./csv/csv.ts')).readCsv,
  ndjson: async () => (await import('./ndjson/ndjson.ts')).readNdjson,
  xlsx: async () => (await import('./xlsx/xlsx.ts')).readXlsx,
  'pain.001': async () => (await import('./pain001/pain001.ts')).readPain001,
}

/**
 * The file, its header read. What is wrong with what it holds comes as complaints among its rows; a Failure('usage') is
 * thrown, here or by the rows, for bytes that cannot be had at all.
 */
export async function readRows(file: FileToRead, options: ReadingOptions): Promise<BatchFile> {
  const { name } = file
  const bytes = await peek(file.bytes, beginning)
  const seen = options.format ?? formatOf(bytes.start)
  if (typeof seen === 'object') {
    await bytes.all[Symbol.asyncIterator]().return?.()
    const { onlyComplaints } = await import('./rows/table.ts')
    const about = { name, format: 'csv', encoding: 'none', delimiter: null } as const
    return { ...about, ...onlyComplaints([complaintAt({}, seen.why)]) }
  }
  const read = await readers[seen]()
  return await read({ name, bytes }, options)
}
