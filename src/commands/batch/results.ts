import { resolve } from 'node:path'
import { Flags } from '@oclif/core'
import type { Results } from '../../lib/batch/reports/result-files.ts'
import { BatchAccess, planArgs } from '../../lib/cli/batch/plans.ts'
import { paperParts } from '../../lib/cli/batch/reporting.ts'
import { sumsInWords } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'

export default class BatchResults extends PaydeskCommand<Results> {
  static override summary = 'Write the rows of a plan with what came of them: ok, refused, unknown, unsent.'
  static override description =
    `Four CSV files that add up to the plan: the columns of the file, then paydesk's own (paydesk:state, paydesk:why and more).
Mend refused.csv and plan it as it is: a row keeps the id that it had, by its key or by those columns. Rows of unknown.csv and
unsent.csv are for \`batch resume\`. Of a pain.001 there is a pain.002.xml too, and --key-column EndToEndId names the keys of its CSV files. The
service is not asked: \`batch wait\` asks it.`
  static override examples = ['<%= config.bin %> batch results b-3f9a1c2b7d10 --dir november']

  static override args = planArgs

  static override flags = {
    dir: Flags.string({ description: 'the folder of the files; made if it is not there', required: true }),
    overwrite: Flags.boolean({ description: 'write over files of an earlier time' }),
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
