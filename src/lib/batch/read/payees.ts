/** A table of payees: read as a file of payouts is, by the contract of a payee. */
import { type NamedAccount, type PayeeRequest, payeeIn } from '../../contract/payout/payee.ts'
import { Failure } from '../../failure.ts'
import { Complaints } from './check.ts'
import { RowDoubts } from './doubts.ts'
import type { FileToRead } from './file.ts'
import type { ReadingOptions } from './options.ts'
import { readRows } from './read.ts'
import { complaintAt } from './row.ts'
import { payeeRows } from './rows/contract.ts'

interface PayeeFile {
  readonly file: string
  /** All rows, those with complaints too. */
  readonly rows: number
  readonly payees: readonly { readonly row: number; readonly payee: NamedAccount }[]
  readonly complaints: Complaints
  readonly warnings: readonly string[]
}

/** Throws usage (2) for bytes that cannot be had, and for what is no table. */
export async function readPayees(from: FileToRead, options: ReadingOptions): Promise<PayeeFile> {
  const { name: file, format, rows, told } = await readRows(from, { ...options, contract: payeeRows })
  const complaints = new Complaints()
  const doubts = new RowDoubts(options.circumstances.now)
  const payees: { row: number; payee: NamedAccount }[] = []
  for await (const each of rows) {
    if (format === 'ndjson' || format === 'pain.001') {
      throw new Failure('usage', `${file} is ${format}: payees are read from CSV and XLSX`)
    }
    if (each.kind === 'complaint') complaints.add(each)
    else {
      doubts.add(each.number, each.request, null)
      payees.push({ row: each.number, payee: payeeIn(each.request as unknown as PayeeRequest) })
    }
  }
  if (told().rows === 0 && complaints.count === 0) complaints.add(complaintAt({}, 'has no rows'))
  return { file, rows: told().rows, payees, complaints, warnings: doubts.inWords }
}
