/** The papers of a plan: each row in one of four files, with what came of it. Together they are the plan, to the last cent. */

import { join } from 'node:path'
import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { howMany } from '../../contract/core/text.ts'
import { isRecord, readJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import type { PlanRowRow } from '../../store/plans.ts'
import { defused } from '../../visible.ts'
import { SumsBy } from '../count.ts'
import { mayBeWorked } from '../lease.ts'
import { type Plan, planTotals } from '../plan.ts'
import { isKeyHeader } from '../read/columns.ts'
import { ownColumnPrefix, rowFields, rowName } from '../read/row.ts'
import { RowsBefore } from '../reason.ts'
import type { resultsResult } from '../result.ts'
import {
  isConflict,
  isToGo,
  ownIntent,
  type PaperName,
  paperNames,
  paperOf,
  type Standing,
  standings,
} from '../row-state.ts'
import { paymentOf } from '../rows.ts'
import { type GrowingFile, type PaperFiles, type Placing, sheetHeader, sheetRows, withFiles } from './files.ts'
import { type PaperLine, type PaperParts, paperLines } from './lines.ts'
import { StatusReport } from './pain002.ts'

export type Results = ResultOf<typeof resultsResult>

interface ResultsWish extends Placing {
  readonly folder: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Throws usage (2) for a place that cannot be written, and as `paperLines`: then no file is there that was not there before. */
export function writeResults(parts: PaperParts, wish: ResultsWish): Promise<Results> {
  return withFiles(wish, async (files) => {
    const papers = new Papers(parts, await openPapers(files, wish.folder))
    const wasWorked = await mayBeWorked(parts, parts.plan.planId)
    const report = parts.plan.message ? await reportIn(parts, files, wish) : null
    for await (const lines of paperLines(parts)) {
      await papers.add(lines)
      await report?.answer.add(lines)
    }
    await report?.answer.finish((text) => report.file.write(text))
    const isHad = wasWorked || (await mayBeWorked(parts, parts.plan.planId))
    return papers.told(report?.file.path ?? null, await parts.desk.journal.headNow(), isHad)
  })
}

async function reportIn({ plan }: PaperParts, files: PaperFiles, { folder, now }: ResultsWish) {
  const file = await files.open(join(folder, 'pain.002.xml'))
  return { file, answer: new StatusReport(plan, await files.note(`${file.path}.payments`), now) }
}

type Opened = Readonly<Record<PaperName, GrowingFile>>

async function openPapers(files: PaperFiles, folder: string): Promise<Opened> {
  const opened: Partial<Record<PaperName, GrowingFile>> = {}
  for (const name of paperNames) opened[name] = await files.open(join(folder, `${name}.csv`))
  return opened as Opened
}

class Papers {
  readonly #parts: PaperParts
  readonly #files: Opened
  readonly #columns: ReturnType<typeof columnsOf>
  readonly #papers = new SumsBy<PaperName>(paperNames)
  readonly #standings = new SumsBy<Standing>(standings)
  #begun = false
  readonly #before = new RowsBefore()
  #toGo = 0
  #sending = 0

  constructor(parts: PaperParts, files: Opened) {
    this.#parts = parts
    this.#files = files
    this.#columns = columnsOf(parts.plan)
  }

  async add(lines: readonly PaperLine[]): Promise<void> {
    await this.#begin()
    for (const line of lines) {
      this.#papers.of(paperOf[line.standing]).add(line.planned)
      this.#standings.of(line.standing).add(line.planned)
      if (line.before) this.#before.add(line.planned, line.before)
      if (isToGo(line)) this.#toGo += 1
      if (line.state === 'sending') this.#sending += 1
    }
    for (const name of paperNames) {
      const own = lines.filter(({ standing }) => paperOf[standing] === name)
      await this.#files[name].write(sheetRows(own.map(this.#columns.cells)))
    }
  }

  async #begin(): Promise<void> {
    if (this.#begun) return
    this.#begun = true
    for (const name of paperNames) await this.#files[name].write(sheetHeader(this.#columns.names))
  }

  /** `isHad`: a run or workers had the plan while they were written. */
  told(report: string | null, journalHead: string | null, isHad: boolean): Results {
    const { planId, rows, totals } = this.#parts.plan
    const papers = this.#papers.entries.map(([name, sums]) => ({
      path: this.#files[name].path,
      rows: sums.rows,
      totals: planTotals(sums.totals),
    }))
    const ended = this.#standings.of('not-paid')
    const warning = `${howMany(ended.rows, 'row of ok.csv was accepted and has', 'rows of ok.csv were accepted and have')} ended without a payment since: ${ended.rows === 1 ? 'its money comes back, and only a new id pays it' : 'their money comes back, and only a new id pays them'}`
    const isWorked = (isHad && this.#toGo > 0) || this.#sending > 0
    const underWay = `a run, or workers, have the plan, and ${howMany(this.#toGo, 'row')} of unknown.csv and unsent.csv may still change (${this.#sending} on the way): write the papers anew when it is through`
    return {
      ...{ planId, rows, totals: planTotals(totals), isWorked },
      sending: this.#sending,
      papers,
      report,
      notPaid: ended.rows,
      replayed: this.#before.rows,
      journalHead,
      warnings: [...(isWorked ? [underWay] : []), ...(ended.rows === 0 ? [] : [warning]), ...this.#before.warnings],
    }
  }
}

// The columns of a paper: first those of the file that was planned, then paydesk's own, which a reading passes over when the
// paper is given back.

type Cells = (line: PaperLine) => readonly string[]

interface Columns {
  readonly names: readonly string[]
  readonly cells: Cells
}

/** In the order of the columns. */
const own: Readonly<Record<string, (line: PaperLine) => string | number | null | undefined>> = {
  // A row that must not be paid anew: no reading takes it back as one that was only refused.
  state: (line) => (isConflict(line) ? 'conflict' : line.state),
  status: (line) => ownIntent(line)?.status,
  code: ({ code }) => code,
  why: ({ why }) => why,
  row: ({ planned }) => planned.number,
  uniqueId: ({ planned }) => planned.unique_id,
  transactionId: (line) => ownIntent(line)?.transactionId,
  journalId: ({ intent }) => intent?.journalId,
}

/** Those of the file, as they stood; columns of an earlier paper are left out. */
function asGiven({ headers, planId, format }: Plan): Columns {
  const kept = [...headers.keys()].filter((at) => !headers[at]?.startsWith(ownColumnPrefix))
  return {
    names: kept.map((at) => headers[at] ?? ''),
    cells: ({ planned }) => {
      const source = readJson(planned.source)
      const cells = kept.map((at) => (Array.isArray(source) ? String(source[at] ?? '') : ''))
      // A line of NDJSON may have no key, and the papers have a column of them all the same: it has no gap.
      const isGap = (at: number) =>
        format === 'ndjson' && cells[at] === '' && isKeyHeader(headers[kept[at] ?? -1] ?? '', null)
      const { business_key, number } = planned
      return business_key === null ? cells.map((cell, at) => (isGap(at) ? rowName(planId, number) : cell)) : cells
    },
  }
}

/** The column that holds the keys of a pain.001: `--key-column` takes it. */
const painKeyColumn = 'EndToEndId'

/**
 * A pain.001 has no columns: a paper of it has the fields of a payout, and with them the key. A payment without one is called
 * by plan and row, so that a column of keys has no gap.
 */
function ofPayments({ planId }: Plan): Columns {
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

/** The columns of the papers of a plan, every cell safe to be opened in a spreadsheet. */
function columnsOf(plan: Plan): Columns {
  const given = plan.format === 'pain.001' ? ofPayments(plan) : asGiven(plan)
  const ours = Object.values(own)
  return {
    names: [...given.names, ...Object.keys(own).map((name) => `${ownColumnPrefix}${name}`)].map(defused),
    cells: (line) => [...given.cells(line), ...ours.map((cell) => String(cell(line) ?? ''))].map(defused),
  }
}
