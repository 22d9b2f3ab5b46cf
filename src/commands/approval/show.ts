import { PaydeskCommand } from '../../lib/cli/command.ts'
import {
  approvalArgs,
  approvalView,
  showApproval,
  showWholeApproval,
  type WholeApproval,
} from '../../lib/cli/team/approvals.ts'

export default class ApprovalShow extends PaydeskCommand<WholeApproval> {
  static override summary = 'Show an approval request: who requested what, and who decided.'
  static override examples = ['<%= config.bin %> approval show a-3f9a1c2b7d10']

  static override args = approvalArgs

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalShownResult

  async run(): Promise<WholeApproval> {
    const { args } = await this.parse(ApprovalShow)
    return showWholeApproval(await showApproval(this, args.id))
  }

  protected override readonly view = approvalView
}
