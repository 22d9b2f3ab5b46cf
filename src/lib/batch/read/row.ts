/** The rows of a file of payouts, and what a reader is told, for every format. */

import type { z } from 'zod'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { isUuid, normalId } from '../../contract/core/text.ts'
import type { Circumstances, Operation } from '../../contract/operation.ts'
import { payeeAlone } from '../../contract/payout/payee.ts'
import { createPayout, type PayoutRequest } from '../../contract/payout/payout.ts'
import type { ColumnMap } from './column-map.ts'
import type { Peeked } from './file.ts'

/** A payout in a file: valid, and without the id, which the plan derives. */
export type RowRequest = Omit<PayoutRequest, 'uniqueId'>

export interface BatchRow {
  readonly kind: 'row'
  /** As in a spreadsheet: the header is 1. The line in NDJSON; the number of the transaction in pain.001. */
  readonly number: number
  readonly request: RowRequest
  /** The cell of the key column, or the EndToEndId, as typed. Unique in the file. */
  readonly key: string | null
  /** The original cells, under `BatchFile.headers`. */
  readonly source: readonly string[]
  /** The original ids, for a pain.002; null for other formats. */
  readonly payment: PainPayment | null
  /** The payment that the row was in a result file of paydesk; absent in every other file. */
  readonly mark?: ResultFileMark
}

/** The id that a row without a key keeps from the plan whose result file it came from; null for every other row. */
export function idFromResultFile({ key, mark }: Pick<BatchRow, 'key' | 'mark'>): string | null {
  return key === null ? (mark?.uniqueId ?? null) : null
}

export interface Complaint {
  readonly kind: 'complaint'
  /** Null for the whole file. */
  readonly row: number | null
  /** From 1; null for formats without columns. */
  readonly column: number | null
  /** The header of the column, or the path of an element: `CdtrAcct/Id/IBAN`, `PmtInf[2]/CtrlSum`. */
  readonly header: string | null
  readonly message: string
}

export const fileFormats = ['csv', 'ndjson', 'xlsx', 'pain.001'] as const
export type FileFormat = (typeof fileFormats)[number]

export interface FileSummary {
  /** All rows with content, refused rows too. */
  readonly rows: number
  readonly refused: number
  /** Minor units by currency, of all rows whose sum can be read. */
  readonly totals: ReadonlyMap<string, bigint>
  /** The header of a pain.001; null for other formats, and if it cannot be read. */
  readonly message: PainMessage | null
}

export interface BatchFile {
  readonly name: string
  readonly format: FileFormat
  readonly encoding: string
  readonly delimiter: 'comma' | 'semicolon' | 'tab' | null
  /** The names of the cells in `source`; empty if the header cannot be read. */
  readonly headers: readonly string[]
  readonly first?: readonly string[]
  /** Rows and complaints in the order of the file. Can be read once. Never throws because of the contents. */
  readonly rows: AsyncIterable<BatchRow | Complaint>
  /** Called after the last row. */
  readonly summary: () => FileSummary
}

/** A cell may hold a megabyte: messages quote a part of it. */
const longestQuote = 300

function cut(text: string): string {
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote)}…`
}

export function complaintAt(
  at: { readonly row?: number | null; readonly column?: number | null; readonly header?: string | null },
  message: string,
): Complaint {
  const header = at.header === undefined || at.header === null ? null : cut(at.header)
  return { kind: 'complaint', row: at.row ?? null, column: at.column ?? null, header, message: cut(message) }
}

/** A complaint for a person: "payroll.csv, row 17 (amount) has more than 2 decimals". */
export function complaintLine(file: string, { row, column, header, message }: Complaint): string {
  const named = header === null ? (column === null ? '' : `, column ${column}`) : ` (${header})`
  return `${row === null ? file : `${file}, row ${row}`}${named} ${message}`
}

// What each row has to be: a payout without its id, or a payee.

export interface RowContract {
  /** "a payout". */
  readonly noun: string
  readonly operation: Operation
  readonly fields: readonly Field[]
  /** The field that a header names: by name (`toIban`) or flag (`to-iban`, `--to-iban`). */
  readonly fieldOf: (header: string) => Field | null
}

function rowContract(noun: string, operation: Operation): RowContract {
  const fields = fieldsOf(operation.request)
  const known = new Map(
    fields.flatMap((field) => {
      const flag = field.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      return [field.name, flag, `--${flag}`].map((each) => [each.toLowerCase(), field] as const)
    }),
  )
  return { noun, operation, fields, fieldOf: (header) => known.get(header.trim().toLowerCase()) ?? null }
}

export const payoutRows = rowContract('a payout', {
  ...createPayout,
  request: createPayout.request.omit({ uniqueId: true }),
})
export const payeeRows = rowContract('a payee', payeeAlone)

export const rowFields = payoutRows.fields
export const fieldOfHeader = payoutRows.fieldOf

/** A value as the rules take it, and what is wrong with it. */
export function checkValue({ operation }: RowContract, { name, tidy }: Field, typed: string) {
  const rules: Readonly<Record<string, z.ZodType>> = operation.request.shape
  const value = tidy?.(typed) ?? typed
  return { value, why: rules[name]?.safeParse(value).error?.issues[0]?.message ?? null }
}

// The original facts of a pain.001, as written: the pain.002 repeats them. Null for an absent element.

export type PainVersion = 'pain.001.001.03' | 'pain.001.001.09'

export interface PainMessage {
  readonly version: PainVersion
  readonly messageId: string
  readonly createdAt: string
  readonly count: string
  readonly sum: string | null
}

/** A PmtInf, as far as it stands before its first payment. All payments of a block share the object. */
export interface PainBlock {
  /** From 1. */
  readonly number: number
  readonly paymentInformationId: string
  readonly count: string | null
  readonly sum: string | null
  /** yyyy-MM-dd, or a moment. */
  readonly executionDate: string
  /** Null if the account has no IBAN. */
  readonly debtorIban: string | null
}

export interface PainPayment {
  readonly message: PainMessage
  readonly block: PainBlock
  readonly instructionId: string | null
  readonly endToEndId: string
  readonly uetr: string | null
  readonly amount: string
  readonly currency: string
}

// The columns that paydesk adds to a result file. When the file is planned again, they name the payment of each row.

/** Columns with this prefix hold no field. */
export const ownColumnPrefix = 'paydesk:'

export interface ResultFileMark {
  /** The state of the row in its result file; '' if it has none, such as an added row. */
  readonly state: string
  /** The id that its plan gave the row; null if it cannot be read. */
  readonly uniqueId: string | null
}

/** `cell`: the cell under a header; undefined without such a column. Undefined for a row of no result file. */
export function readResultFileMark(cell: (header: string) => string | undefined): ResultFileMark | undefined {
  const [state, id] = [cell(`${ownColumnPrefix}state`), cell(`${ownColumnPrefix}uniqueId`)]
  if (state === undefined && id === undefined) return undefined
  const typed = (id ?? '').trim()
  return { state: (state ?? '').trim(), uniqueId: isUuid(typed) ? normalId(typed) : null }
}

/** The name of a payment without a key in a result file, so that the key column has no gap. It is no key. */
export function rowName(planId: string, row: number): string {
  return `${planId}/${row}`
}

/** True for a key that is such a name. */
export function isRowName(key: string): boolean {
  return /^b-[0-9a-f]{12}\/[0-9]{1,9}$/.test(key)
}

// What a reader is told.

export interface ReadOptions {
  /** What each row is; payouts by default. */
  readonly contract?: RowContract
  /** Null: the first bytes decide it. */
  readonly format: FileFormat | null
  /** Made by `readColumnMap`. For a pain.001 it gives the description of payments that have none. */
  readonly map: ColumnMap | null
  /** The column with the key of each row; null: `key`, if there is such a column. In pain.001 it is always the EndToEndId. */
  readonly keyColumn: string | null
  /**
   * The debtor's account in a pain.001: it becomes `fromIban` of each payout (`any-account`, if the profile may choose it), or all
   * blocks must have the same (`one-account`). Null ignores it, if no profile is known.
   */
  readonly debits: 'any-account' | 'one-account' | null
  /** The permissions of the profile, and the time. */
  readonly circumstances: Circumstances
}

export interface OpenedFile {
  readonly name: string
  readonly bytes: Peeked
}
