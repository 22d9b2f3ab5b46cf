/** A file read to its end: how many rows, what they add up to, and everything that is wrong. */
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import type { ResultOf } from '../../result.ts'
import { RowDoubts } from './doubts.ts'
import type { FileToRead } from './file.ts'
import type { ReadingOptions } from './options.ts'
import { readRows } from './read.ts'
import type { checkedFileResult } from './result.ts'
import type { BatchFile, Complaint, FileTold } from './row.ts'

export type CheckedFile = ResultOf<typeof checkedFileResult>

/** Complaints in full: a person mends a file by some, and not by a hundred thousand. */
const mostComplaints = 1000

/** The complaints of a file as far as they are told, and the count of the rest. */
export class Complaints {
  readonly told: Complaint[] = []
  more = 0

  add(complaint: Complaint): void {
    if (this.told.length < mostComplaints) this.told.push(complaint)
    else this.more += 1
  }

  get count(): number {
    return this.told.length + this.more
  }
}

export function jsonTotals(totals: FileTold['totals']): Record<string, JsonNumber> {
  return Object.fromEntries([...totals].map(([currency, units]) => [currency, new JsonNumber(fromMinorUnits(units))]))
}

/** The file, and the header of a pain.001 as far as it could be read. Throws a Failure('usage') where the bytes cannot be had. */
export async function checkFile(
  file: FileToRead,
  options: ReadingOptions,
): Promise<{
  readonly checked: CheckedFile
  readonly message: FileTold['message']
  readonly columns: Pick<BatchFile, 'headers' | 'first'>
}> {
  const read = await readRows(file, options)
  const complaints = new Complaints()
  const doubts = new RowDoubts(options.circumstances.now)
  for await (const each of read.rows) {
    if (each.kind === 'complaint') complaints.add(each)
    else doubts.add(each.number, each.request, each.payment?.block.executionDate ?? null)
  }
  const { rows, refused, totals, message } = read.told()
  if (rows === 0 && complaints.count === 0) complaints.add(emptyComplaint)
  const checked = {
    file: read.name,
    format: read.format,
    encoding: read.encoding,
    delimiter: read.delimiter,
    rows,
    refused,
    totals: jsonTotals(totals),
    complaints: complaints.told.map(({ row, column, header, message }) => ({ row, column, header, message })),
    moreComplaints: complaints.more,
    warnings: [...doubts.inWords],
  }
  return { checked, message, columns: read }
}

const emptyComplaint: Complaint = { kind: 'complaint', row: null, column: null, header: null, message: 'has no rows' }
