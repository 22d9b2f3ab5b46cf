import { resolve } from 'node:path'
import { Flags } from '@oclif/core'
import type { Results } from '../../lib/batch/reports/result-files.ts'
import { planArgs } from '../../lib/cli/batch/plans.ts'
import { reportParts } from '../../lib/cli/batch/reporting.ts'
import { totalInWords } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { factsOf, tableOf, textView, type View } from '../../lib/cli/output/view.ts'

export default class BatchResults extends PaydeskCommand<Results> {
  static override summary = 'Write the rows of a plan to files by outcome.'
  static override description =
    `Writes ok.csv, refused.csv, unknown.csv and unsent.csv, with your columns and then paydesk's (paydesk:state,
paydesk:why, …), and a pain.002.xml for a pain.001. Correct refused.csv and plan it as it is: every row keeps
its id. \`batch resume\` takes care of unknown and unsent rows. Guide: docs/how-to/pay-a-file.md`
  static override examples = ['<%= config.bin %> batch results b-3f9a1c2b7d10 --dir november']

  static override args = planArgs

  static override flags = {
    dir: Flags.string({ description: 'folder for the files; created if missing', required: true }),
    overwrite: Flags.boolean({ description: 'overwrite existing files' }),
  }

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).resultsResult

  async run(): Promise<Results> {
    const { args, flags } = await this.parse(BatchResults)
    this.acts = true
    const parts = await reportParts(this, args.plan)
    const { writeResults } = await import('../../lib/batch/reports/result-files.ts')
    const { clock, random } = this.edge
    const placing = { overwrite: flags.overwrite, mark: random.uuid() }
    return writeResults(parts, { ...placing, folder: resolve(flags.dir), now: clock.now() })
  }

  protected override readonly view = ({ papers, report, journalHead }: Results): View => [
    tableOf(papers, { file: 'path', rows: 'rows', total: totalInWords }),
    ...(report === null ? [] : textView(report)),
    factsOf({ journalHead }, { 'journal head': 'journalHead' }),
  ]
}
