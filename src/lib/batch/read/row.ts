/** The rows of a file of payouts, as every format gives them. */
import type { PayoutRequest } from '../../contract/payout/payout.ts'
import type { PainMessage, PainPayment } from './pain001/facts.ts'
import type { PaperMark } from './rows/paper.ts'

/** A payout as a file asks for it: validated, and without the id, which the plan derives. */
export type RowRequest = Omit<PayoutRequest, 'uniqueId'>

/** A row that keeps every rule. */
export interface BatchRow {
  readonly kind: 'row'
  /** As a spreadsheet counts: the header is 1. The line of NDJSON, and the place of a transaction in pain.001, from 1. */
  readonly number: number
  readonly request: RowRequest
  /** Exactly as typed: the key column, the EndToEndId. Null for none. No two rows of a file have the same. */
  readonly key: string | null
  /** The cells under `BatchFile.headers`, as they stood. */
  readonly source: readonly string[]
  /** The original ids, for a pain.002; null of other formats. */
  readonly payment: PainPayment | null
  /** The payment that it was in a paper of paydesk's; absent in every other file. */
  readonly paper?: PaperMark
}

/** The id that a row without a key keeps from the plan whose paper it came from; null for every other row. */
export function givenIdOf({ key, paper }: Pick<BatchRow, 'key' | 'paper'>): string | null {
  return key === null ? (paper?.uniqueId ?? null) : null
}

/** A thing that is wrong in a file, and its place. */
export interface Complaint {
  readonly kind: 'complaint'
  /** Null where the file as a whole is meant. */
  readonly row: number | null
  /** From 1; null where a format has none. */
  readonly column: number | null
  /** The header of the column, or the way to an element: `CdtrAcct/Id/IBAN`, `PmtInf[2]/CtrlSum`. */
  readonly header: string | null
  readonly message: string
}

export const fileFormats = ['csv', 'ndjson', 'xlsx', 'pain.001'] as const
export type FileFormat = (typeof fileFormats)[number]

/** The facts of a file that are known after its last row. */
export interface FileTold {
  /** All of them, refused ones too; blank lines are none. */
  readonly rows: number
  /** Rows that have a complaint. */
  readonly refused: number
  /** Minor units by currency, of all rows whose sum can be read. With no complaint it is what the file pays. */
  readonly totals: ReadonlyMap<string, bigint>
  /** The header of a pain.001; null of other formats, and where it could not be read. */
  readonly message: PainMessage | null
}

/** A file, its header read and its rows to come. */
export interface BatchFile {
  readonly name: string
  readonly format: FileFormat
  /** Such as "UTF-8". */
  readonly encoding: string
  /** Null of formats that have none. */
  readonly delimiter: 'comma' | 'semicolon' | 'tab' | null
  /** The names of the cells in `source`; empty where the header could not be read. */
  readonly headers: readonly string[]
  /** The cells of the first row under the headers, of a table that has one. */
  readonly first?: readonly string[]
  /** Rows and complaints in the order of the file, to be taken once. It never throws for what the file holds. */
  readonly rows: AsyncIterable<BatchRow | Complaint>
  /** To be asked after the last row. */
  readonly told: () => FileTold
}

/** Words of a file that go into a message: a cell may hold a megabyte. */
const longestQuote = 300

function cut(text: string): string {
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote)}…`
}

/** A complaint; `at` says where. */
export function complaintAt(
  at: { readonly row?: number | null; readonly column?: number | null; readonly header?: string | null },
  message: string,
): Complaint {
  const header = at.header === undefined || at.header === null ? null : cut(at.header)
  return { kind: 'complaint', row: at.row ?? null, column: at.column ?? null, header, message: cut(message) }
}

/** A complaint as people read it: "payroll.csv:17:3 (amount) has more than 2 decimals". */
export function complaintLine(file: string, { row, column, header, message }: Complaint): string {
  const place = [file, row, column].filter((part) => part !== null).join(':')
  return header === null ? `${place} ${message}` : `${place} (${header}) ${message}`
}
