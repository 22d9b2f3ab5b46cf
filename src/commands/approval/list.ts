import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Labels, tableOf } from '../../lib/cli/output/view.ts'
import {
  approvalsOf,
  approvedInWords,
  approvedSum,
  type DescribedApproval,
  describeApproval,
  payeeInWords,
} from '../../lib/cli/team/approvals.ts'

export default class ApprovalList extends PaydeskCommand<readonly DescribedApproval[]> {
  static override summary = 'List approval requests, newest first.'
  static override examples = ['<%= config.bin %> approval list', '<%= config.bin %> approval list --all --json']

  static override flags = {
    all: Flags.boolean({ description: 'those that are over, too: used, rejected, expired, outdated, void' }),
  }

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalsResult

  async run(): Promise<readonly DescribedApproval[]> {
    const { flags } = await this.parse(ApprovalList)
    const told = (await (await approvalsOf(this)).list()).map(describeApproval)
    return flags.all ? told : told.filter(({ state }) => state === 'waiting' || state === 'approved')
  }

  protected override readonly view = (approvals: readonly DescribedApproval[]) => [
    tableOf(approvals, columns, 'No approval request is open.'),
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
