import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import {
  approvalArgs,
  approvalsOf,
  approvalView,
  mustBeMeant,
  personFlags,
  personKeyOf,
  showApproval,
  showWholeApproval,
  signingFlags,
  type WholeApproval,
} from '../../lib/cli/team/approvals.ts'

export default class ApprovalReject extends PaydeskCommand<WholeApproval> {
  static override summary = 'Reject a request, so that nobody can approve it any more.'
  static override examples = [
    '<%= config.bin %> approval reject a-3f9a1c2b7d10 --because "not the account on the invoice" --person-key nino.key',
  ]

  static override args = approvalArgs

  static override flags = {
    ...signingFlags,
    because: Flags.string({ description: 'a note that is stored with it', default: '', helpValue: '<text>' }),
    ...personFlags,
  }

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalShownResult

  async run(): Promise<WholeApproval> {
    const { args, flags } = await this.parse(ApprovalReject)
    this.acts = true
    const key = await personKeyOf(this, flags)
    const approvals = await approvalsOf(this)
    const asked = await showApproval(this, args.id)
    approvals.mustTake(asked, 'reject', key)
    await mustBeMeant(flags, asked.approval.facts.sum)
    return showWholeApproval(await approvals.decide(asked, 'reject', flags.because, key))
  }

  protected override readonly view = approvalView
}
