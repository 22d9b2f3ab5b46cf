/**
 * The report of a plan on the command line: a table, or a form of its own on stdout or in a file. No service is asked, and
 * no profile is needed.
 */
import { join, resolve } from 'node:path'
import type { ReportParts, ReportResult } from '../../batch/reports/report.ts'
import type { ReportFormat, ReportRequest } from '../../batch/reports/write-report.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { typedForm } from '../flags/typed-line.ts'
import type { Invocation } from '../invocation.ts'
import { toStdout } from '../output/files.ts'
import { planOf, plansOf, viewOfPlan } from './plans.ts'

/** Throws usage (2), not-found (6). */
export async function reportParts(invocation: Invocation, planId: string): Promise<ReportParts> {
  const { store, plan } = await planOf(invocation, planId)
  const { desk, leaseHolder } = await viewOfPlan(invocation, plan)
  const clean = (text: string) => invocation.output.redactor.clean(text)
  return { desk, leaseHolder, store, plan, plans: await plansOf(invocation), clean }
}

/** The report of a plan on the command line: a table, or a form of its own on stdout or in a file. */
interface ReportFlags {
  readonly format: ReportFormat
  readonly out?: string | undefined
  readonly overwrite: boolean
  readonly limit: number
}

/** Gives null where the report itself went to stdout. Throws usage (2), not-found (6). */
export async function reportOf(
  invocation: Invocation,
  planId: string,
  { format, out, overwrite, limit }: ReportFlags,
): Promise<ReportResult | null> {
  requireWithinLimits(invocation, format, out)
  const parts = await reportParts(invocation, planId)
  const { clock, random } = invocation.edge
  const about = {
    now: clock.now(),
    naming: invocation.naming,
    path: out === undefined ? null : resolve(out),
  }
  const kept = { first: out === undefined && format !== 'table' ? 0 : limit, ofEach: 0 }
  const { reportResultOf } = await import('../../batch/reports/report.ts')
  if (format === 'table') {
    const { gatherReport } = await import('../../batch/reports/report.ts')
    const all = await gatherReport(parts, kept)
    return reportResultOf(parts.plan, all, { ...about, head: await parts.desk.journal.headNow() })
  }
  const placing = { overwrite, mark: random.uuid() }
  const all = await writeFiles(parts, format, {
    ...about,
    kept,
    placing,
    write: toStdout(invocation),
    atTerminal: out === undefined && invocation.edge.stdout.isTTY === true,
    folder: invocation.places.batches,
  })
  if (about.path === null) return null
  return reportResultOf(parts.plan, all, { ...about, head: await parts.desk.journal.headNow() })
}

/** A report on stdout is the one document there. */
function requireWithinLimits({ line }: Invocation, format: ReportFormat, out: string | undefined): void {
  if (format === 'table') {
    if (out === undefined) return
    throw new Failure('usage', '--out needs a report format', {
      hints: [hint`Name it with \`--format\`: csv, ndjson, html or pain.002.`],
    })
  }
  if (out !== undefined || typedForm(line) === 'table') return
  throw new Failure('usage', `--format ${format} prints the report itself, so it has no other result`, {
    hints: [hint`Omit \`--json\` or \`--output\`, or name a file with \`--out\`.`],
  })
}

interface Place extends Pick<ReportRequest, 'write' | 'now' | 'kept' | 'atTerminal'> {
  readonly path: string | null
  /** Of what is noted on the way where there is no other. */
  readonly folder: string
  readonly placing: { readonly overwrite: boolean; readonly mark: string }
}

async function writeFiles(
  parts: ReportParts,
  format: Exclude<ReportFormat, 'table'>,
  { path, folder, placing, write, now, kept, atTerminal }: Place,
) {
  const { withFiles } = await import('../../batch/reports/files.ts')
  const { writeReport } = await import('../../batch/reports/write-report.ts')
  return withFiles(placing, async (files) => {
    const file = path === null ? null : await files.open(path)
    const temporary = () => files.temporary(path === null ? join(folder, parts.plan.planId) : `${path}.payments`)
    return writeReport(parts, format, {
      write: file ? (text) => file.write(text) : write,
      temporary,
      now,
      kept,
      atTerminal,
    })
  })
}
