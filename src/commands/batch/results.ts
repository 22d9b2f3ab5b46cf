import { resolve } from 'node:path'
import { Flags } from '@oclif/core'
import type { Results } from '../../lib/batch/reports/result-files.ts'
import { BatchAccess, planArgs } from '../../lib/cli/batch/plans.ts'
import { paperParts } from '../../lib/cli/batch/reporting.ts'
import { sumsInWords } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'

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

  readonly #batch = new BatchAccess(this)

  async run(): Promise<Results> {
    const { args, flags } = await this.parse(BatchResults)
    const parts = await paperParts(this, this.#batch, args.plan)
    const { writeResults } = await import('../../lib/batch/reports/result-files.ts')
    const { clock, random } = this.edge
    const placing = { overwrite: flags.overwrite, mark: random.uuid() }
    return writeResults(parts, { ...placing, folder: resolve(flags.dir), now: clock.now() })
  }

  protected override view({ papers, report, journalHead }: Results): View {
    return [
      {
        kind: 'table',
        head: ['file', 'rows', 'total'],
        rows: papers.map(({ path, rows, totals }) => [path, rows, sumsInWords(totals)]),
        empty: '',
      },
      ...(report === null ? [] : [{ kind: 'text', text: report } as const]),
      { kind: 'facts', rows: [['journal head', journalHead]] },
    ]
  }
}
