/** Reads a file to its end: the number of its rows, their sums, and everything that is wrong. */

import { z } from 'zod'
import { fromMinorUnits, JsonNumber } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { type NamedAccount, type PayeeRequest, payeeIn } from '../../contract/payout/payee.ts'
import { Failure } from '../../failure.ts'
import { jsonAmount, oneWordOf, type ResultOf, warningTexts } from '../../result.ts'
import type { FileToRead } from './file.ts'
import { FirstFew } from './first-few.ts'
import { readRows } from './read.ts'
import {
  type BatchFile,
  type Complaint,
  complaintAt,
  type FileSummary,
  fileFormats,
  payeeRows,
  type ReadOptions,
} from './row.ts'

export type CheckedFile = ResultOf<typeof checkedFileResult>

/** Complaints that are told in full: a person corrects a file by some of them, and not by a hundred thousand. */
const mostComplaints = 1000

export type Complaints = FirstFew<Complaint>

export function newComplaints(): Complaints {
  return new FirstFew<Complaint>(mostComplaints)
}

export function jsonTotals(totals: FileSummary['totals']): Record<string, JsonNumber> {
  return Object.fromEntries([...totals].map(([currency, units]) => [currency, new JsonNumber(fromMinorUnits(units))]))
}

/** Checks a file. Also gives the header of a pain.001, as far as it can be read. Throws a Failure('usage') if the bytes cannot be read. */
export async function checkFile(
  file: FileToRead,
  options: ReadOptions,
): Promise<{
  readonly checked: CheckedFile
  readonly message: FileSummary['message']
  readonly columns: Pick<BatchFile, 'headers' | 'first'>
}> {
  const read = await readRows(file, options)
  const complaints = newComplaints()
  const doubts = new RowWarnings(options.circumstances.now)
  for await (const each of read.rows) {
    if (each.kind === 'complaint') complaints.add(() => each)
    else doubts.add(each.number, each.request, each.payment?.block.executionDate ?? null)
  }
  const { rows, refused, totals, message } = read.summary()
  if (rows === 0 && complaints.count === 0) complaints.add(() => noRows)
  const checked = {
    file: read.name,
    format: read.format,
    encoding: read.encoding,
    delimiter: read.delimiter,
    rows,
    refused,
    totals: jsonTotals(totals),
    complaints: complaints.first.map(({ row, column, header, message }) => ({ row, column, header, message })),
    moreComplaints: complaints.more,
    warnings: [...doubts.inWords],
  }
  return { checked, message, columns: read }
}

const noRows = complaintAt({}, 'has no rows')

const complaint = z.strictObject({
  row: z
    .int()
    .min(1)
    .nullable()
    .describe(
      'As a spreadsheet counts, the header is 1; the line of NDJSON; the transaction of pain.001. Null: the file.',
    ),
  column: z.int().min(1).nullable().describe('From 1; null where the format has none.'),
  header: z.string().nullable().describe('Of the column; in pain.001 the way to the element.'),
  message: z.string().describe('For a person; it follows the place.'),
})

/** Imported payees, as `payee import --json` prints them. */
export const importedPayeesResult = z.strictObject({
  file: z.string(),
  profile: z.string(),
  rows: z.int().min(0).describe('All rows with something in them, but the header.'),
  added: z.int().min(0).describe('0 where there is a complaint, as in the two that follow.'),
  completed: z.int().min(0).describe('They were listed already, and got details that they lacked.'),
  unchanged: z.int().min(0).describe('They were listed already.'),
  complaints: z.array(complaint).describe('At most 1000. With any of them nothing is listed.'),
  moreComplaints: z.int().min(0).describe('Complaints that are not listed.'),
  warnings: warningTexts,
})

export const checkedFileResult = z.strictObject({
  file: z.string(),
  format: oneWordOf(fileFormats),
  encoding: z.string().describe('"none" where nothing could be read.'),
  delimiter: z.enum(['comma', 'semicolon', 'tab']).nullable().describe('Of CSV.'),
  rows: z.int().min(0).describe('All rows with something in them, but the header.'),
  refused: z.int().min(0).describe('Rows that have a complaint.'),
  totals: z.record(z.string(), jsonAmount).describe('By currency, of all rows whose sum can be read.'),
  complaints: z.array(complaint).describe('At most 1000, in the order of the file.'),
  moreComplaints: z.int().min(0).describe('Complaints that are not listed.'),
  suggestedMap: z.string().optional().describe('With --suggest-map: a first map, in YAML.'),
  warnings: warningTexts,
})

const mostTold = 10

const day = 24 * 60 * 60 * 1000

/** Days after which an execution date says that the file is old: banks accept dates of the last days. */
const longPast = 14

export class RowWarnings {
  readonly #now: number
  readonly #misread = new FirstFew<string>(mostTold)
  readonly #dates = new Map<string, number>()

  constructor(now: number) {
    this.#now = now
  }

  /** `executionDate`: the ReqdExctnDt of a pain.001; null of other formats. */
  add(number: number, request: Readonly<Record<string, unknown>>, executionDate: string | null): void {
    for (const [field, text] of Object.entries(request)) {
      const meant = typeof text === 'string' ? beforeMisreading(text) : null
      if (meant === null) continue
      this.#misread.add(() => `row ${number} (${field}): "${text}", perhaps "${meant}"`)
    }
    const date = (executionDate ?? '').trim().slice(0, 10)
    if (date !== '' && daysBetween(date, this.#now) > longPast) this.#dates.set(date, (this.#dates.get(date) ?? 0) + 1)
  }

  get inWords(): readonly string[] {
    const dates = [...this.#dates].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const old = dates.slice(0, mostTold).map(([date, rows]) => {
      const asked = howMany(rows, 'row was asked for', 'rows were asked for')
      return `${asked} on ${date}, ${ago(daysBetween(date, this.#now))} (ReqdExctnDt): is this an old file?`
    })
    const { count } = this.#misread
    const texts = howMany(count, 'text looks', 'texts look')
    const misread = `${texts} like UTF-8 that another program read as Windows-1252: ${this.#misread.inWords()}`
    return [...old, ...(count > 0 ? [misread] : [])]
  }
}

function daysBetween(date: string, now: number): number {
  return Math.floor((now - Date.parse(date)) / day)
}

const relativeTime = new Intl.RelativeTimeFormat('en')

function ago(days: number): string {
  return days >= 365 ? relativeTime.format(-Math.floor(days / 365), 'year') : relativeTime.format(-days, 'day')
}

interface PayeeFile {
  readonly file: string
  readonly rows: number
  readonly payees: readonly { readonly row: number; readonly payee: NamedAccount }[]
  readonly complaints: Complaints
  readonly warnings: readonly string[]
}

/** Reads a table of payees. Throws usage (2) for bytes that cannot be read, and for a file that is no table. */
export async function readPayees(from: FileToRead, options: ReadOptions): Promise<PayeeFile> {
  const { name: file, format, rows, summary } = await readRows(from, { ...options, contract: payeeRows })
  const complaints = newComplaints()
  const doubts = new RowWarnings(options.circumstances.now)
  const payees: { row: number; payee: NamedAccount }[] = []
  for await (const each of rows) {
    if (format === 'ndjson' || format === 'pain.001') {
      throw new Failure('usage', `${file} is ${format}: payees are read from CSV and XLSX`)
    }
    if (each.kind === 'complaint') complaints.add(() => each)
    else {
      doubts.add(each.number, each.request, null)
      payees.push({ row: each.number, payee: payeeIn(each.request as unknown as PayeeRequest) })
    }
  }
  if (summary().rows === 0 && complaints.count === 0) complaints.add(() => noRows)
  return { file, rows: summary().rows, payees, complaints, warnings: doubts.inWords }
}

/** The characters that Windows-1252 has for the bytes 80 to 9F; the others have the number of their byte. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

/** Letters that begin a character of two or three bytes of UTF-8, and what may follow them, all read as Windows-1252. */
const misread = new RegExp(`[Â-ß][\\u0080-\\u00BF${windows1252}]|[à-ï][\\u0080-\\u00BF${windows1252}]{2}`, 'gu')

/** The text as it was before UTF-8 was read as Windows-1252: "MÃ¼ller" → "Müller"; null where it does not look like that. */
export function beforeMisreading(text: string): string | null {
  const meant = text.replace(misread, (found) => {
    const bytes = Array.from(found, (each) => {
      const at = windows1252.indexOf(each)
      return at < 0 ? each.charCodeAt(0) : 0x80 + at
    })
    const read = Buffer.from(bytes).toString('utf8')
    return read.includes('\uFFFD') ? found : read
  })
  return meant === text ? null : meant
}
