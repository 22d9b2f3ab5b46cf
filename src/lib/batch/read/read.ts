/** Reads a file of payouts: its format from its first bytes, its header, and its rows as a stream. */
import { byteOrderMark, type FileToRead, peekBytes } from './file.ts'
import { type BatchFile, complaintAt, type FileFormat, type OpenedFile, type ReadOptions } from './row.ts'

const beginning = 64 * 1024

type Reader = (file: OpenedFile, options: ReadOptions) => Promise<BatchFile>

/** Each reader is loaded when a file has its format. */
const readers: Readonly<Record<FileFormat, () => Promise<Reader>>> = {
  csv: async () => (await import('./csv.ts')).readCsv,
  ndjson: async () => (await import('./ndjson.ts')).readNdjson,
  xlsx: async () => (await import('./xlsx/xlsx.ts')).readXlsx,
  'pain.001': async () => (await import('./pain001/pain001.ts')).readPain001,
}

/**
 * Opens a file and reads its header. Wrong contents are complaints among the rows. Throws a Failure('usage'), here or while the rows
 * are read, for bytes that cannot be read.
 */
export async function readRows(file: FileToRead, options: ReadOptions): Promise<BatchFile> {
  const { name } = file
  const bytes = await peekBytes(file.bytes, beginning)
  const seen = options.format ?? formatOf(bytes.start)
  if (typeof seen === 'object') {
    await bytes.all[Symbol.asyncIterator]().return?.()
    const { onlyComplaints } = await import('./table.ts')
    const about = { name, format: 'csv', encoding: 'none', delimiter: null } as const
    return { ...about, ...onlyComplaints([complaintAt({}, seen.why)]) }
  }
  const read = await readers[seen]()
  return await read({ name, bytes }, options)
}

// The format. The file's extension does not matter.

const foreign: readonly (readonly [bytes: readonly number[], why: string])[] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'is a workbook of an old Excel (.xls), or one with a password: save it as .xlsx or CSV'],
  [[0x1f, 0x8b], 'is compressed by gzip: unpack it first'],
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF: no payouts can be read from it'],
]

/** True for bytes that no text begins with: pictures, programs, encrypted files. */
function isBinary(start: Buffer): boolean {
  const head = start.subarray(0, 1024)
  try {
    // `stream`: the last character may be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return false
  } catch {
    return head.some((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d))
  }
}

function begins(start: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => start[at] === byte)
}

export function formatOf(start: Buffer): FileFormat | { readonly why: string } {
  if (start.length === 0) return { why: 'is empty' }
  if (begins(start, [0x50, 0x4b, 0x03, 0x04])) return 'xlsx'
  const other = foreign.find(([bytes]) => begins(start, bytes))
  if (other) return { why: other[1] }
  const mark = byteOrderMark(start)
  if (!mark && isBinary(start))
    return { why: 'is neither text nor a workbook: CSV, NDJSON, XLSX and pain.001 can be read' }
  const text = new TextDecoder(mark?.encoding ?? 'UTF-8').decode(start.subarray(0, 1024)).trimStart()
  if (text === '' && start.length <= 1024) return { why: 'is empty' }
  if (text.startsWith('<')) return 'pain.001'
  if (text.startsWith('{')) return 'ndjson'
  if (text.startsWith('[')) return { why: 'is a list in JSON: write an object in each line instead (NDJSON)' }
  return 'csv'
}
