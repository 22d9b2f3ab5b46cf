/** The papers of a plan: each row in one of four files, with what came of it. Together they are the plan, to the last cent. */

import { join } from 'node:path'
import { howMany } from '../../contract/core/text.ts'
import type { ResultOf } from '../../result.ts'
import { planTotals } from '../plan/plan.ts'
import type { resultsResult } from '../result.ts'
import { RowsBefore } from '../rows/before.ts'
import { isToGo } from '../rows/state.ts'
import { mayBeWorked } from '../run/worked.ts'
import { columnsOf } from './columns.ts'
import { type GrowingFile, type PaperFiles, type Placing, withFiles } from './files.ts'
import { type PaperLine, type PaperParts, paperLines } from './lines.ts'
import { StatusReport } from './pain002/report.ts'
import { sheetHeader, sheetRows } from './sheet.ts'
import { type PaperName, paperNames, paperOf, type Standing, standings } from './standing.ts'
import { SumsBy } from './sums.ts'

export type Results = ResultOf<typeof resultsResult>

export interface ResultsWish extends Placing {
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
