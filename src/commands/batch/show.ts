import { Flags } from '@oclif/core'
import type { RowNames, ShownRow, ShowResult } from '../../lib/batch/plan-result.ts'
import { type RowState, rowStates } from '../../lib/batch/row-state.ts'
import { planArgs, planOf, viewOfPlan } from '../../lib/cli/batch/plans.ts'
import { moreRowsView, planLabels } from '../../lib/cli/batch/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { factsOf, type Labels, sumInWords, tableOf, type View } from '../../lib/cli/output/view.ts'
import { accountInWords } from '../../lib/contract/core/iban.ts'

export default class BatchShow extends PaydeskCommand<ShowResult> {
  static override summary = 'Show a plan and the state of its rows.'
  static override examples = [
    '<%= config.bin %> batch show b-3f9a1c2b7d10',
    '<%= config.bin %> batch show b-3f9a1c2b7d10 --state unknown --json',
  ]

  static override args = planArgs

  static override flags = {
    state: Flags.option({
      options: rowStates,
    })({ description: 'only rows of this state' }),
    limit: Flags.integer({ description: 'maximum number of rows', default: 20, min: 0 }),
  }

  static override readonly result = async () => (await import('../../lib/batch/result.ts')).shownResult

  #state: RowState | null = null
  #names: RowNames = new Map()

  async run(): Promise<ShowResult> {
    const { args, flags } = await this.parse(BatchShow)
    this.#state = flags.state ?? null
    const { store, plan } = await planOf(this, args.plan)
    const { showPlan } = await import('../../lib/batch/plan-result.ts')
    const { desk, leaseHolder } = await viewOfPlan(this, plan)
    const wanted = { state: this.#state, limit: flags.limit }
    const { shown, names } = await showPlan({ desk, leaseHolder, store, plan }, wanted)
    this.#names = names
    return shown
  }

  protected override view(shown: ShowResult): View {
    const { planId, moreRows } = shown
    const ofState = this.#state === null ? '' : ` --state ${this.#state}`
    const line = `paydesk batch show ${planId}${ofState} --limit ${shown.shown.length + moreRows}`
    return [
      factsOf(shown, planLabels as Labels<ShowResult>, `Plan ${planId}`),
      tableOf(shown.shown, columns(this.#names), moreRows === 0 ? 'No rows found.' : 'No rows.'),
      ...moreRowsView(moreRows, line),
    ]
  }
}

const columns = (names: RowNames): Labels<ShownRow> => ({
  row: 'row',
  state: 'state',
  amount: sumInWords,
  to: ({ row, payee }) => [names.get(row), accountInWords(payee)].filter(Boolean).join(' '),
  key: 'key',
  transaction: 'transactionId',
  why: 'because',
})
