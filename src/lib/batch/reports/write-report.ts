/** A report in the form that was asked for, written row by row. */
import { printableJson } from '../../json.ts'
import { defused, visible } from '../../visible.ts'
import { type GrowingFile, sheetRows } from './files.ts'
import type { PaperLine, PaperParts } from './lines.ts'
import { StatusReport } from './pain002.ts'
import { type Gathered, gathered, type KeptRows, type ReportLine, reportLine } from './report.ts'

export const reportFormats = ['table', 'csv', 'ndjson', 'html', 'pain.002'] as const
export type ReportFormat = (typeof reportFormats)[number]

export interface ReportWish {
  /** Takes texts in their order, as fast as it can. */
  readonly write: (text: string) => Promise<void>
  /** Opens a file that goes away with the end of the report. */
  readonly note: () => Promise<GrowingFile>
  /** Milliseconds since 1970. */
  readonly now: number
  readonly kept: KeptRows
  /** True if a person reads it on a screen. */
  readonly atTerminal: boolean
}

type Writing = (parts: PaperParts, wish: ReportWish) => Promise<Gathered>

const names: readonly (keyof ReportLine)[] = [
  ...(['row', 'state', 'standing', 'status', 'key', 'uniqueId', 'amount', 'currency', 'payee'] as const),
  ...(['transactionId', 'journalId', 'code', 'why', 'sentBefore', 'sentByPlan'] as const),
]

function cells(line: PaperLine): readonly string[] {
  const told = reportLine(line)
  return names.map((name) => defused(String(told[name] ?? '')))
}

const inCsv: Writing = async (parts, { write, kept, atTerminal }) => {
  const shown = (row: readonly string[]) => (atTerminal ? row.map(visible) : row)
  await write(sheetRows([names]))
  return gathered(parts, kept, (lines) => write(sheetRows(lines.map((line) => shown(cells(line))))))
}

const inNdjson: Writing = (parts, { write, kept }) =>
  gathered(parts, kept, (lines) => write(lines.map((line) => `${printableJson(reportLine(line))}\n`).join('')))

const inHtml: Writing = async (parts, { write, now, kept }) => {
  const { mostOnPage, reportPage } = await import('./html.ts')
  const all = await gathered(parts, { ...kept, ofEach: mostOnPage })
  await write(await reportPage(parts.plan, all, { now, head: await parts.desk.journal.headNow() }))
  return all
}

const inPain002: Writing = async (parts, { write, note, now, kept }) => {
  const report = new StatusReport(parts.plan, await note(), now)
  const all = await gathered(parts, kept, (lines) => report.add(lines))
  await report.finish(write)
  return all
}

const writings: Readonly<Record<Exclude<ReportFormat, 'table'>, Writing>> = {
  csv: inCsv,
  ndjson: inNdjson,
  html: inHtml,
  'pain.002': inPain002,
}

/** Throws as `paperLines`, and usage (2) for a pain.002 of another format. */
export function writeReport(
  parts: PaperParts,
  format: Exclude<ReportFormat, 'table'>,
  wish: ReportWish,
): Promise<Gathered> {
  return writings[format](parts, wish)
}
