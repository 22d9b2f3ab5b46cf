import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openDesk } from '../../lib/cli/desk/desk.ts'
import { payoutArgs } from '../../lib/cli/flags/shared.ts'
import { payoutView } from '../../lib/cli/views.ts'
import { type PayoutRead, waitForPayout } from '../../lib/desk/payouts.ts'

export default class PayoutWait extends PaydeskCommand<PayoutRead> {
  static override summary = 'Wait until a payout is final.'
  static override description =
    'Exit code 0: SUCCESS; 5: REJECTED, FAILED or DELETED; 8: --timeout (120 s) passed first.'
  static override examples = ['<%= config.bin %> payout wait 100001 --timeout 10m']

  static override args = payoutArgs

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).payoutReadResult

  async run() {
    const { args, flags } = await this.parse(PayoutWait)
    return waitForPayout(await openDesk(this, flags, 'payouts'), args.id)
  }

  protected override readonly view = payoutView
}
