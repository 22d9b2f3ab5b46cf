/** Writes the result files of a plan: each row stands in one of four files, with what came of it. Together they add up to the plan. */
import { join } from 'node:path'
import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { isRecord, readJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import type { PlanRowRow } from '../../store/plans.ts'
import { escapeFormula } from '../../text.ts'
import { SumsBy } from '../count.ts'
import { type Plan, planTotals } from '../plan.ts'
import { isKeyHeader } from '../read/columns.ts'
import { ownColumnPrefix, rowFields, rowName } from '../read/row.ts'
import type { resultsResult } from '../result.ts'
import { isConflict, ownIntent, type ResultFileName, resultFileNames, resultFileOf } from '../row-state.ts'
import { paymentOf } from '../rows.ts'
import { type FilePlacing, type GrowingFile, type NewFiles, sheetHeader, sheetRows, withFiles } from './files.ts'
import { StatusReport } from './pain002.ts'
import { type GatheredReport, gatherReport, type ReportParts, type ReportRow } from './report.ts'

export type Results = ResultOf<typeof resultsResult>

interface ResultsRequest extends FilePlacing {
  readonly folder: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Throws usage (2) for a place that cannot be written, and as `readReportRows`: then no file is left. */
export function writeResults(parts: ReportParts, request: ResultsRequest): Promise<Results> {
  return withFiles(request, async (files) => {
    const { plan, desk } = parts
    const opened = await openResultFiles(files, request.folder)
    const sums = new SumsBy<ResultFileName>(resultFileNames)
    const columns = columnsOf(plan)
    for (const name of resultFileNames) await opened[name].write(sheetHeader(columns.names))
    const answer = plan.message ? await openAnswer(parts, files, request) : null
    const report = await gatherReport(parts, { first: 0, ofEach: 0 }, async (rows) => {
      for (const name of resultFileNames) {
        const own = rows.filter(({ standing }) => resultFileOf[standing] === name)
        for (const { planned } of own) sums.of(name).add(planned)
        await opened[name].write(sheetRows(own.map(columns.cells)))
      }
      await answer?.report.add(rows)
    })
    await answer?.report.finish((text) => answer.file.write(text))
    const papers = sums.entries.map(([name, { rows, totals }]) => ({
      ...{ path: opened[name].path, rows, totals: planTotals(totals) },
    }))
    return resultsOf(plan, report, {
      papers,
      report: answer?.file.path ?? null,
      journalHead: await desk.journal.headNow(),
    })
  })
}

type Opened = Readonly<Record<ResultFileName, GrowingFile>>

async function openResultFiles(files: NewFiles, folder: string): Promise<Opened> {
  const opened: Partial<Record<ResultFileName, GrowingFile>> = {}
  for (const name of resultFileNames) opened[name] = await files.open(join(folder, `${name}.csv`))
  return opened as Opened
}

async function openAnswer({ plan }: ReportParts, files: NewFiles, { folder, now }: ResultsRequest) {
  const file = await files.open(join(folder, 'pain.002.xml'))
  return { file, report: new StatusReport(plan, await files.temporary(`${file.path}.payments`), now) }
}

function resultsOf(
  { planId, rows, totals }: Plan,
  report: GatheredReport,
  written: Pick<Results, 'papers' | 'report' | 'journalHead'>,
): Results {
  const { isWorked, sending, toGo, before } = report
  const { rows: notPaid } = report.sums.of('not-paid')
  const unpaid = `${howMany(notPaid, 'row of ok.csv was accepted and has', 'rows of ok.csv were accepted and have')} ended without a payment since: ${notPaid === 1 ? 'its money comes back; to pay it again use a new id' : 'their money comes back; to pay them again use new ids'}`
  const underWay = `the plan is still being paid, so ${howMany(toGo, 'row')} of unknown.csv and unsent.csv may change (${sending} in flight): write the files again when it has ended`
  return {
    ...{ planId, rows, totals: planTotals(totals), isWorked, sending, ...written, notPaid, replayed: before.rows },
    warnings: [...(isWorked ? [underWay] : []), ...(notPaid === 0 ? [] : [unpaid]), ...before.warnings],
  }
}

// The columns of a result file: those of the planned file, and those of paydesk, which name the payment of each row when the file
// is planned again.

type Cells = (line: ReportRow) => readonly string[]

interface Columns {
  readonly names: readonly string[]
  readonly cells: Cells
}

const own: Readonly<Record<string, (line: ReportRow) => string | number | null | undefined>> = {
  // A conflict must not be planned again as if it was only refused.
  state: (line) => (isConflict(line) ? 'conflict' : line.state),
  status: (line) => ownIntent(line)?.status,
  code: ({ code }) => code,
  why: ({ why }) => why,
  row: ({ planned }) => planned.number,
  uniqueId: ({ planned }) => planned.unique_id,
  transactionId: (line) => ownIntent(line)?.transactionId,
  journalId: ({ intent }) => intent?.journalId,
}

/** The columns of the file, without the columns of an earlier result file. */
function columnsOfFile({ headers, planId, format }: Plan): Columns {
  const kept = [...headers.keys()].filter((at) => !headers[at]?.startsWith(ownColumnPrefix))
  return {
    names: kept.map((at) => headers[at] ?? ''),
    cells: ({ planned }) => {
      const source = readJson(planned.source)
      const cells = kept.map((at) => (Array.isArray(source) ? String(source[at] ?? '') : ''))
      // A line of NDJSON may have no key; the key column of the result file must have no gap.
      const isGap = (at: number) =>
        format === 'ndjson' && cells[at] === '' && isKeyHeader(headers[kept[at] ?? -1] ?? '', null)
      const { business_key, number } = planned
      return business_key === null ? cells.map((cell, at) => (isGap(at) ? rowName(planId, number) : cell)) : cells
    },
  }
}

/** The key column for a pain.001: `--key-column` takes it. */
const painKeyColumn = 'EndToEndId'

/**
 * A pain.001 has no columns: its result files have the fields of a payout, and the key. A payment without a key is named by plan and
 * row, so that the key column has no gap.
 */
function columnsOfPayments({ planId }: Plan): Columns {
  const fields = rowFields.map(({ name }) => name)
  const original = ['PmtInfId', 'InstrId', 'UETR'].map((name) => `${ownColumnPrefix}${name}`)
  return {
    names: [painKeyColumn, ...fields, ...original],
    cells: ({ planned }) => {
      const request = readJson(planned.request)
      const members = isRecord(request) ? request : {}
      const payment = paymentOf(planned)
      return [
        planned.business_key ?? rowName(planId, planned.number),
        ...fields.map((name) => (name === 'amount' ? amountOf(planned) : String(members[name] ?? ''))),
        ...[payment?.block.paymentInformationId, payment?.instructionId, payment?.uetr].map((cell) => cell ?? ''),
      ]
    },
  }
}

function amountOf({ amount_minor }: PlanRowRow): string {
  return fromMinorUnits(BigInt(amount_minor))
}

/** All columns; every cell is safe to be opened in a spreadsheet. */
function columnsOf(plan: Plan): Columns {
  const given = plan.format === 'pain.001' ? columnsOfPayments(plan) : columnsOfFile(plan)
  const ours = Object.values(own)
  return {
    names: [...given.names, ...Object.keys(own).map((name) => `${ownColumnPrefix}${name}`)].map(escapeFormula),
    cells: (line) => [...given.cells(line), ...ours.map((cell) => String(cell(line) ?? ''))].map(escapeFormula),
  }
}
