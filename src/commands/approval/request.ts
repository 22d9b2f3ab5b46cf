import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { durationFlag } from '../../lib/cli/flags/times.ts'
import type { View } from '../../lib/cli/output/view.ts'
import {
  ApprovalAccess,
  type ApprovalShown,
  approvalShown,
  approvalView,
  personFlags,
  personKeyOf,
} from '../../lib/cli/team/approvals.ts'
import { Failure } from '../../lib/failure.ts'

const day = 24 * 60 * 60 * 1000
const longest = 7 * day

export default class ApprovalRequest extends PaydeskCommand<ApprovalShown> {
  static override summary = 'Ask others to approve a payment that is held, or a plan.'
  static override description =
    `You sign it as its maker, and cannot approve it yourself. It speaks of exactly this request to exactly this service as this client;
whatever changes of it makes the approval void. It is used once, and only until it expires.`
  static override examples = [
    '<%= config.bin %> approval request j-3f9a1c2b7d10 --person-key anna.key',
    '<%= config.bin %> approval request b-2a41f5c07e99 --valid-for 72h',
  ]

  static override args = {
    id: Args.string({
      ignoreStdin: true,
      required: true,
      description: 'a journal id or key of what is held, or a plan',
    }),
  }

  static override flags = {
    'valid-for': durationFlag({ description: 'how long it stands, 7 days at most', helpValue: '24h', default: day }),
    ...personFlags,
  }

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalShownResult

  readonly #approvals = new ApprovalAccess(this)

  async run(): Promise<ApprovalShown> {
    const { args, flags } = await this.parse(ApprovalRequest)
    const validFor = flags['valid-for']
    if (validFor <= 0 || validFor > longest) throw new Failure('usage', '--valid-for takes up to 168h')
    const key = await personKeyOf(this, flags)
    const id = await this.#approvals.request(args.id, validFor, key)
    return approvalShown(await this.#approvals.show(id))
  }

  protected override get acts(): boolean {
    return true
  }

  protected override view(shown: ApprovalShown): View {
    return approvalView(shown)
  }
}
