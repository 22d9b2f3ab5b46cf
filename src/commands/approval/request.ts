import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { durationFlag } from '../../lib/cli/flags/times.ts'
import {
  approvalView,
  personFlags,
  personKeyOf,
  requestApproval,
  showApproval,
  showWholeApproval,
  type WholeApproval,
} from '../../lib/cli/team/approvals.ts'
import { Failure } from '../../lib/failure.ts'

const day = 24 * 60 * 60 * 1000
const longest = 7 * day

export default class ApprovalRequest extends PaydeskCommand<WholeApproval> {
  static override summary = 'Request approval of a held payment or a plan.'
  static override description =
    `You sign as the requester; somebody else must approve. The approval covers exactly this payment, service and
client: any change makes it void. It can be used once, until it expires. Guide:
docs/how-to/limits-and-approvals.md`
  static override examples = [
    '<%= config.bin %> approval request j-3f9a1c2b7d10 --person-key anna.key',
    '<%= config.bin %> approval request b-2a41f5c07e99 --valid-for 72h',
  ]

  static override args = {
    id: Args.string({
      ignoreStdin: true,
      required: true,
      description: 'journal id or key of the held payment, or a plan id',
    }),
  }

  static override flags = {
    'valid-for': durationFlag({
      description: 'how long the request is valid, 7 days at most',
      helpValue: '24h',
      default: day,
    }),
    ...personFlags,
  }

  static override readonly result = async () => (await import('../../lib/approvals/result.ts')).approvalShownResult

  async run(): Promise<WholeApproval> {
    const { args, flags } = await this.parse(ApprovalRequest)
    this.acts = true
    const validFor = flags['valid-for']
    if (validFor <= 0 || validFor > longest) throw new Failure('usage', '--valid-for takes up to 168h')
    const key = await personKeyOf(this, flags)
    const id = await requestApproval(this, args.id, validFor, key)
    return showWholeApproval(await showApproval(this, id))
  }

  protected override readonly view = approvalView
}
