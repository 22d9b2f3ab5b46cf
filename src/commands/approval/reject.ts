import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'
import {
  ApprovalAccess,
  type ApprovalShown,
  approvalArgs,
  approvalShown,
  approvalView,
  mustBeMeant,
  personFlags,
  personKeyOf,
  signingFlags,
} from '../../lib/cli/team/approvals.ts'

export default class ApprovalReject extends PaydeskCommand<ApprovalShown> {
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

  readonly #approvals = new ApprovalAccess(this)

  async run(): Promise<ApprovalShown> {
    const { args, flags } = await this.parse(ApprovalReject)
    const key = await personKeyOf(this, flags)
    const approvals = await this.#approvals.open()
    const asked = await this.#approvals.show(args.id)
    approvals.mustTake(asked, 'reject', key)
    await mustBeMeant(flags, asked.approval.facts.sum)
    return approvalShown(await approvals.decide(asked, 'reject', flags.because, key))
  }

  protected override get acts(): boolean {
    return true
  }

  protected override view(shown: ApprovalShown): View {
    return approvalView(shown)
  }
}
