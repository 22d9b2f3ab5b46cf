import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'
import {
  ApprovalAccess,
  type ApprovalShown,
  approvalArgs,
  approvalShown,
  approvalView,
} from '../../lib/cli/team/approvals.ts'

export default class ApprovalShow extends PaydeskCommand<ApprovalShown> {
  static override summary = 'Show an approval request: who requested what, and who decided.'
  static override examples = ['<%= config.bin %> approval show a-3f9a1c2b7d10']

  static override args = approvalArgs

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalShownResult

  readonly #approvals = new ApprovalAccess(this)

  async run(): Promise<ApprovalShown> {
    const { args } = await this.parse(ApprovalShow)
    return approvalShown(await this.#approvals.show(args.id))
  }

  protected override view(shown: ApprovalShown): View {
    return approvalView(shown)
  }
}
