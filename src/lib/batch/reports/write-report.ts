/** Writes a report in one of its formats, row by row. */

import { printableJson } from '../../json.ts'
import { escapeFormula, visible } from '../../text.ts'
import { reportResult } from '../result.ts'
import { type GrowingFile, sheetRows } from './files.ts'
import { StatusReport } from './pain002.ts'
import {
  type GatheredReport,
  gatherReport,
  type KeptRows,
  type ReportLine,
  type ReportParts,
  type ReportRow,
  reportLineOf,
} from './report.ts'

export const reportFormats = ['table', 'csv', 'ndjson', 'html', 'pain.002'] as const
export type ReportFormat = (typeof reportFormats)[number]

export interface ReportRequest {
  readonly write: (text: string) => Promise<void>
  /** Opens a file that is deleted after the report. */
  readonly temporary: () => Promise<GrowingFile>
  /** Milliseconds since 1970. */
  readonly now: number
  readonly kept: KeptRows
  readonly atTerminal: boolean
}

type ReportWriter = (parts: ReportParts, request: ReportRequest) => Promise<GatheredReport>

const names = Object.keys(reportResult.shape.lines.element.shape) as (keyof ReportLine)[]

function cells(line: ReportRow): readonly string[] {
  const result = reportLineOf(line)
  return names.map((name) => escapeFormula(String(result[name] ?? '')))
}

const writeCsv: ReportWriter = async (parts, { write, kept, atTerminal }) => {
  const shown = (row: readonly string[]) => (atTerminal ? row.map(visible) : row)
  await write(sheetRows([names]))
  return gatherReport(parts, kept, (lines) => write(sheetRows(lines.map((line) => shown(cells(line))))))
}

const writeNdjson: ReportWriter = (parts, { write, kept }) =>
  gatherReport(parts, kept, (lines) => write(lines.map((line) => `${printableJson(reportLineOf(line))}\n`).join('')))

const writeHtml: ReportWriter = async (parts, { write, now, kept }) => {
  const { mostOnPage, reportPage } = await import('./html.ts')
  const all = await gatherReport(parts, { ...kept, ofEach: mostOnPage })
  await write(await reportPage(parts.plan, all, { now, head: await parts.desk.journal.headNow() }))
  return all
}

const writePain002: ReportWriter = async (parts, { write, temporary, now, kept }) => {
  const report = new StatusReport(parts.plan, await temporary(), now)
  const all = await gatherReport(parts, kept, (lines) => report.add(lines))
  await report.finish(write)
  return all
}

const writers: Readonly<Record<Exclude<ReportFormat, 'table'>, ReportWriter>> = {
  csv: writeCsv,
  ndjson: writeNdjson,
  html: writeHtml,
  'pain.002': writePain002,
}

/** Throws as `readReportRows`, and usage (2) for a pain.002 of another format. */
export function writeReport(
  parts: ReportParts,
  format: Exclude<ReportFormat, 'table'>,
  request: ReportRequest,
): Promise<GatheredReport> {
  return writers[format](parts, request)
}
