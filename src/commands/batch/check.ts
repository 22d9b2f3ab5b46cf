import { resolve } from 'node:path'
import { Args, Flags } from '@oclif/core'
import type { CheckedFile } from '../../lib/batch/read/check.ts'
import { complaintLine, type PainMessage } from '../../lib/batch/read/row.ts'
import { fileOf, readingFlags } from '../../lib/cli/batch/planning.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Labels, labelled, textView, unlessZero, type View } from '../../lib/cli/output/view.ts'
import { howMany } from '../../lib/contract/core/text.ts'
import { Failure } from '../../lib/failure.ts'
import { hint } from '../../lib/hint.ts'

export default class BatchCheck extends PaydeskCommand<CheckedFile> {
  static override summary = 'Check a file of payouts: rows, totals and every mistake.'
  static override description =
    `Reads CSV, NDJSON, XLSX or pain.001. Columns are the fields of \`payout create\`, by name (toIban) or flag
(to-iban); --map names other columns, and --suggest-map drafts such a map. Every mistake is reported with its
row and column; row 1 is the header. Exit code 2 if there is one. Nothing is sent or stored. Guide:
docs/how-to/pay-a-file.md`
  static override examples = [
    '<%= config.bin %> batch check payroll.csv',
    '<%= config.bin %> batch check payroll.xlsx --map map.yaml --key-column Employee',
    '<%= config.bin %> batch check payroll.xlsx --suggest-map',
    '<%= config.bin %> batch check pain.xml --pain002 rejection.xml',
    "<%= config.bin %> batch check pain.xml --json --query 'complaints[].message'",
  ]

  static override args = {
    file: Args.string({ description: 'the file; - is stdin', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...readingFlags,
    pain002: Flags.string({
      description: 'for a pain.001 with mistakes: write the pain.002 that rejects the whole message (RJCT)',
      helpValue: 'rejection.xml',
    }),
    'suggest-map': Flags.boolean({
      description: 'print a draft for --map, for a file with other headers',
      exclusive: ['map', 'pain002'],
    }),
    overwrite: Flags.boolean({ description: 'overwrite an existing file', dependsOn: ['pain002'] }),
  }

  static override readonly result = async () => (await import('../../lib/batch/read/check.ts')).checkedFileResult

  async run(): Promise<CheckedFile> {
    const { args, flags } = await this.parse(BatchCheck)
    const { checkFile } = await import('../../lib/batch/read/check.ts')
    // The permissions of a profile are looked at by the plan.
    const { checked, message, columns } = await checkFile(...(await fileOf(this, args.file, flags, null)))
    if (flags['suggest-map']) {
      const { suggestedMap } = await import('../../lib/batch/read/suggest-map.ts')
      return { ...checked, suggestedMap: await suggestedMap(checked, columns) }
    }
    if (flags.pain002 !== undefined) await this.#refuse(message, checked, flags.pain002, flags.overwrite)
    const count = checked.complaints.length + checked.moreComplaints
    if (count === 0) return checked
    throw new Failure('usage', inOneSentence(checked, count), {
      document: checked,
      hints: [hint`Nothing was sent. Correct the file and check it again.`],
    })
  }

  async #refuse(message: PainMessage | null, checked: CheckedFile, path: string, overwrite: boolean): Promise<void> {
    const { rejectionXml } = await import('../../lib/batch/reports/pain002.ts')
    const { withFiles } = await import('../../lib/batch/reports/files.ts')
    const xml = rejectionXml(message, checked, this.edge.clock.now())
    if (xml === null) {
      this.output.say(`${checked.file} has no mistakes, so no pain.002 was written`)
      return
    }
    await withFiles({ overwrite, mark: this.edge.random.uuid() }, async (files) => {
      await (await files.open(resolve(path))).write(xml)
    })
  }

  protected override view(checked: CheckedFile): View {
    const { file, complaints, moreComplaints, totals, suggestedMap, refused } = checked
    if (suggestedMap !== undefined) return textView(suggestedMap)
    const total = refused === 0 ? 'total' : 'total (rows with a readable amount)'
    const rows = [
      ...labelled(checked, labels),
      ...Object.entries(totals).map(([currency, sum]) => [total, `${currency} ${sum}`] as const),
    ]
    const lines = complaints.map((each) => complaintLine(file, { kind: 'complaint', ...each }))
    const rest = moreComplaints === 0 ? [] : [`… and ${moreComplaints} more`]
    return [{ kind: 'facts', rows }, ...(lines.length === 0 ? [] : textView([...lines, ...rest].join('\n')))]
  }
}

const labels: Labels<CheckedFile> = {
  file: 'file',
  format: ({ format, encoding, delimiter }) =>
    [format, encoding === 'none' ? null : encoding, delimiter].filter(Boolean).join(', '),
  rows: 'rows',
  'rows with mistakes': unlessZero('refused'),
}

function inOneSentence({ file, complaints, rows, refused }: CheckedFile, count: number): string {
  const [first] = complaints
  if (count === 1 && first) return complaintLine(file, { kind: 'complaint', ...first })
  return `${file} has ${howMany(count, 'complaint')}${refused > 0 ? `, in ${refused} of ${howMany(rows, 'row')}` : ''}`
}
