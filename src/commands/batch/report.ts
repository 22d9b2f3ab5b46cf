import { Flags } from '@oclif/core'
import type { ReportResult } from '../../lib/batch/reports/report.ts'
import { BatchAccess, planArgs } from '../../lib/cli/batch/plans.ts'
import { reportOf } from '../../lib/cli/batch/reporting.ts'
import { moreRowsView, planFacts, sumsInWords } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { Block, View } from '../../lib/cli/output/view.ts'
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

  readonly #batch = new BatchAccess(this)

  async run(): Promise<ReportResult | undefined> {
    const { args, flags } = await this.parse(BatchReport)
    return (await reportOf(this, this.#batch, args.plan, flags)) ?? undefined
  }

  protected override view(told: ReportResult | undefined): View {
    if (!told) return []
    const { planId, standings, lines, moreLines, next, path } = told
    const found = standings.filter(({ rows }) => rows > 0)
    const rest = moreRowsView(moreLines, `paydesk batch report ${planId} --limit ${lines.length + moreLines}`)
    const table: Block = {
      kind: 'table',
      head: ['row', 'state', 'status', 'amount', 'to', 'key', 'transaction', 'why'],
      rows: lines.map((line) => [
        ...[line.row, line.state, line.status, `${line.currency} ${line.amount}`, line.payee],
        ...[line.key, line.transactionId, line.why],
      ]),
      empty: '',
    }
    return [
      {
        kind: 'facts',
        title: `Plan ${planId}`,
        rows: [
          ...planFacts(told),
          ...found.map((each) => [each.standing, inShort(each)] as const),
          ['sent before', told.replayed === 0 ? null : `${howMany(told.replayed, 'row')}; nothing moved now`],
          ['journal head', told.journalHead],
          ['written', path],
        ],
      },
      ...(path === null && lines.length > 0 ? [table, ...rest] : []),
      ...(next.length === 0 ? [] : [{ kind: 'text', text: next.join('\n') } as const]),
    ]
  }
}

function inShort({ rows, totals }: ReportResult['standings'][number]): string {
  return `${rows}: ${sumsInWords(totals)}`
}
