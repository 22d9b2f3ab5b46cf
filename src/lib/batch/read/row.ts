/** The rows of a file of payouts, as every format gives them. */

import type { z } from 'zod'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { isUuid, normalId } from '../../contract/core/text.ts'
import type { Circumstances, Operation } from '../../contract/operation.ts'
import { payeeAlone } from '../../contract/payout/payee.ts'
import { createPayout, type PayoutRequest } from '../../contract/payout/payout.ts'
import type { ColumnMap } from './column-map.ts'
import type { Peeked } from './file.ts'

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

// The contract that the rows of a file keep: a payout without its id, or a payee alone.

export interface RowContract {
  /** "a payout". */
  readonly noun: string
  readonly operation: Operation
  /** The fields that a row may have. */
  readonly fields: readonly Field[]
  /** The field that a header names: by its name (`toIban`) or its flag (`to-iban`, `--to-iban`); null for none. */
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

/** A value in the form that the rules look at, and what is wrong with it. */
export function checkedValue({ operation }: RowContract, { name, tidy }: Field, typed: string) {
  const rules: Readonly<Record<string, z.ZodType>> = operation.request.shape
  const value = tidy?.(typed) ?? typed
  return { value, why: rules[name]?.safeParse(value).error?.issues[0]?.message ?? null }
}

// The original facts of a pain.001 that its answer repeats, as they were written; null where an element was absent.

export type PainVersion = 'pain.001.001.03' | 'pain.001.001.09'

/** The group header. */
export interface PainMessage {
  readonly version: PainVersion
  readonly messageId: string
  readonly createdAt: string
  readonly count: string
  readonly sum: string | null
}

/** A PmtInf, as far as it stands before its first payment; all payments of one block share the object. */
export interface PainBlock {
  /** From 1. */
  readonly number: number
  readonly paymentInformationId: string
  readonly count: string | null
  readonly sum: string | null
  /** yyyy-MM-dd, or a moment. */
  readonly executionDate: string
  /** Null where the account has no IBAN. */
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

// The columns that paydesk wrote into a paper, read back: they say which payment a row was, whatever its cells say by now.

/** Columns that begin so are paydesk's own, of an earlier result: they hold no field, and say which payment a row was. */
export const ownColumnPrefix = 'paydesk:'

export interface PaperMark {
  /** The state of the row in its paper; '' where it has none, such as in a row that was added. */
  readonly state: string
  /** The id that its plan gave it; null where there is none that can be read. */
  readonly uniqueId: string | null
}

/** `cell` gives what stands under a header; undefined where there is no such column. Undefined for a row of no paper. */
export function paperMarkOf(cell: (header: string) => string | undefined): PaperMark | undefined {
  const [state, id] = [cell(`${ownColumnPrefix}state`), cell(`${ownColumnPrefix}uniqueId`)]
  if (state === undefined && id === undefined) return undefined
  const typed = (id ?? '').trim()
  return { state: (state ?? '').trim(), uniqueId: isUuid(typed) ? normalId(typed) : null }
}

/** The words by which a paper calls a payment without a key, so that its column of keys has no gap: they are no key. */
export function rowName(planId: string, row: number): string {
  return `${planId}/${row}`
}

/** True for a key that only is the name of its row in a paper. */
export function isRowName(key: string): boolean {
  return /^b-[0-9a-f]{12}\/[0-9]{1,9}$/.test(key)
}

// The wishes of those who read a file.

export interface ReadingOptions {
  /** What each row of a table is; payouts if not given. */
  readonly contract?: RowContract
  /** Null: it is seen from the beginning of the file. */
  readonly format: FileFormat | null
  /** `readColumnMap` makes one. Of a pain.001 it gives the text of payments that have none. */
  readonly map: ColumnMap | null
  /** The column that holds the key of each row; null: `key`, where there is one. In pain.001 it is always the EndToEndId. */
  readonly keyColumn: string | null
  /**
   * The debtor's account in a pain.001: it becomes `fromIban` of each payout (`any-account`, where the profile may send it), or
   * all blocks must name the same (`one-account`). Null leaves it alone, where no profile is known.
   */
  readonly debits: 'any-account' | 'one-account' | null
  /** The permissions of the profile, and the time. */
  readonly circumstances: Circumstances
}

/** A file whose beginning is in hand. */
export interface OpenedFile {
  readonly name: string
  readonly bytes: Peeked
}
