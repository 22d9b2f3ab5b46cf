/** A checked file, as `batch check --json` prints it. */
import { z } from 'zod'
import { jsonAmount, oneWordOf, warningTexts } from '../../result.ts'
import { fileFormats } from './row.ts'

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
