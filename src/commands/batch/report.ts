import { Flags } from '@oclif/core'
import type { ReportLine, ReportResult } from '../../lib/batch/reports/report.ts'
import { planArgs } from '../../lib/cli/batch/plans.ts'
import { reportOf } from '../../lib/cli/batch/reporting.ts'
import { moreRowsView, planLabels, totalInWords } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Labels, labelled, sumInWords, tableOf, textView, type View } from '../../lib/cli/output/view.ts'
import { accountInWords } from '../../lib/contract/core/iban.ts'
import { howMany } from '../../lib/contract/core/text.ts'

export default class BatchReport extends PaydeskCommand<ReportResult | undefined> {
  static override summary = 'Report on a plan: totals, rows by state and next steps.'
  static override description =
    `csv and ndjson list every row; html is one page for a browser or for printing; pain.002 answers a pain.001.
Uses the journal only: \`batch wait\` asks the service. Without --out the report goes to stdout.`
  static override examples = [
    '<%= config.bin %> batch report b-3f9a1c2b7d10',
    '<%= config.bin %> batch report b-3f9a1c2b7d10 --format html --out november.html',
  ]

  static override args = planArgs

  static override flags = {
    format: Flags.option({ options: ['table', 'csv', 'ndjson', 'html', 'pain.002'] as const })({
      description: 'format of the report',
      default: 'table',
    }),
    out: Flags.string({ description: 'file to write', helpValue: '<file>' }),
    overwrite: Flags.boolean({ description: 'overwrite an existing file' }),
    limit: Flags.integer({ description: 'maximum number of rows in the table', default: 100, min: 0 }),
  }

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).reportResult

  async run(): Promise<ReportResult | undefined> {
    const { args, flags } = await this.parse(BatchReport)
    this.acts = flags.out !== undefined
    return (await reportOf(this, args.plan, flags)) ?? undefined
  }

  protected override view(told: ReportResult | undefined): View {
    if (!told) return []
    const { planId, lines, moreLines, next, path } = told
    const standings = told.standings
      .filter(({ rows }) => rows > 0)
      .map((each) => [each.standing, `${each.rows}: ${totalInWords(each)}`] as const)
    const rows = [...labelled(told, planLabels as Labels<ReportResult>), ...standings, ...labelled(told, labels)]
    const rest = moreRowsView(moreLines, `paydesk batch report ${planId} --limit ${lines.length + moreLines}`)
    return [
      { kind: 'facts', title: `Plan ${planId}`, rows },
      ...(path === null && lines.length > 0 ? [tableOf(lines, columns), ...rest] : []),
      ...(next.length === 0 ? [] : textView(next.join('\n'))),
    ]
  }
}

const labels: Labels<ReportResult> = {
  'sent before': ({ replayed }) => (replayed === 0 ? null : `${howMany(replayed, 'row')}; nothing moved now`),
  'journal head': 'journalHead',
  written: 'path',
}

const columns: Labels<ReportLine> = {
  row: 'row',
  state: 'state',
  status: 'status',
  amount: sumInWords,
  to: ({ payee }) => accountInWords(payee),
  key: 'key',
  transaction: 'transactionId',
  why: 'why',
}
