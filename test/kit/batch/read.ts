/** Reads texts and bytes as files of payouts. */

import { readRows } from '../../../src/lib/batch/read/read.ts'
import { type BatchFile, type BatchRow, complaintLine, type ReadOptions } from '../../../src/lib/batch/read/row.ts'

/** The time of these tests, in 2026. */
export const now = Date.parse('2026-11-23T08:00:00Z')

const usual: ReadOptions = {
  format: null,
  map: null,
  keyColumn: null,
  debits: null,
  circumstances: { permits: new Set(), orderType: null, now },
}

export interface WholeFile {
  readonly file: BatchFile
  readonly rows: readonly BatchRow[]
  /** As people read them. */
  readonly complaints: readonly string[]
}

/** Bytes as a disk gives them: in pieces of this size. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export async function readWhole(
  content: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  size = 64 * 1024,
): Promise<WholeFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const file = await readRows({ name: 'file', bytes: inPieces(bytes, size) }, { ...usual, ...options })
  const rows: BatchRow[] = []
  const complaints: string[] = []
  for await (const each of file.rows) {
    if (each.kind === 'row') rows.push(each)
    else complaints.push(complaintLine(file.name, each))
  }
  return { file, rows, complaints }
}
