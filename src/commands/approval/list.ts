import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Labels, tableOf } from '../../lib/cli/output/view.ts'
import {
  approvalsOf,
  approvedInWords,
  approvedSum,
  type DescribedApproval,
  describeApproval,
  nameAsked,
  payeeInWords,
} from '../../lib/cli/team/approvals.ts'

export default class ApprovalList extends PaydeskCommand<readonly DescribedApproval[]> {
  static override summary = 'List approval requests, newest first.'
  static override examples = ['<%= config.bin %> approval list', '<%= config.bin %> approval list --all --json']

  static override flags = {
    all: Flags.boolean({ description: 'those that are over, too: used, rejected, expired, outdated, void' }),
  }

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalsResult

  /** The beneficiary's name by approval: people read it, and the result has none. */
  #names: ReadonlyMap<string, string | null> = new Map()

  async run(): Promise<readonly DescribedApproval[]> {
    const { flags } = await this.parse(ApprovalList)
    const asked = await (await approvalsOf(this)).list()
    this.#names = new Map(asked.map((each) => [each.approval.facts.approval, nameAsked(each)]))
    const told = asked.map(describeApproval)
    return flags.all ? told : told.filter(({ state }) => state === 'waiting' || state === 'approved')
  }

  readonly #receiver = (told: DescribedApproval) =>
    [this.#names.get(told.approvalId), payeeInWords(told)].filter(Boolean).join(' ')

  protected override readonly view = (approvals: readonly DescribedApproval[]) => [
    tableOf(approvals, { ...columns, to: this.#receiver }, 'No approval request is open.'),
  ]
}

const columns: Labels<DescribedApproval> = {
  approval: 'approvalId',
  state: 'state',
  approved: approvedInWords,
  sum: approvedSum,
  to: payeeInWords,
  'asked by': 'maker',
  id: 'id',
}
