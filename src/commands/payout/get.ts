import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { payoutArgs } from '../../lib/cli/flags/named.ts'
import { payoutView } from '../../lib/cli/views/payout.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { type PayoutRead, readPayout } from '../../lib/desk/payout/payout.ts'

export default class PayoutGet extends PaydeskCommand<PayoutRead> {
  static override summary = 'Read a payout back (A2).'
  static override description = 'Exit code 0 says that it could be read, whatever its status is.'
  static override examples = ['<%= config.bin %> payout get 100001', '<%= config.bin %> payout get j-3f9a1c2b7d10']

  static override args = payoutArgs

  static override readonly result = async () => (await import('../../lib/desk/payout/result.ts')).payoutReadResult

  readonly #desk = new DeskAccess(this)

  async run(): Promise<PayoutRead> {
    const { args, flags } = await this.parse(PayoutGet)
    return readPayout(await this.#desk.open(flags, 'payouts'), args.id)
  }

  protected override view(read: PayoutRead): View {
    return payoutView(read)
  }
}
