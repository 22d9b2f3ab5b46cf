import { PaydeskCommand } from '../../lib/cli/command.ts'
import { answerOr, curlFlags } from '../../lib/cli/desk/read.ts'
import { payoutArgs } from '../../lib/cli/flags/shared.ts'
import { answerOrCurl } from '../../lib/cli/unsent.ts'
import { payoutView } from '../../lib/cli/views.ts'
import { type PayoutRead, readPayout } from '../../lib/desk/payouts.ts'

export default class PayoutGet extends PaydeskCommand<PayoutRead> {
  static override summary = 'Read a payout from the service.'
  static override description = 'Exit code 0 means that it could be read, whatever its status is.'
  static override examples = ['<%= config.bin %> payout get 100001', '<%= config.bin %> payout get j-3f9a1c2b7d10']

  static override args = payoutArgs
  static override flags = curlFlags

  static override readonly result = answerOrCurl('payoutReadResult')

  async run() {
    const { args, flags } = await this.parse(PayoutGet)
    return answerOr(this, flags, 'payouts', (desk) => readPayout(desk, args.id))
  }

  protected override readonly view = payoutView
}
