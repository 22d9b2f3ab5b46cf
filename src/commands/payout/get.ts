import { Args } from '@oclif/core'
import { DeskCommand } from '../../lib/cli/desk-command.ts'
import { payoutView } from '../../lib/cli/views/payout.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { type PayoutRead, readPayout } from '../../lib/desk/payout/payout.ts'

export default class PayoutGet extends DeskCommand<PayoutRead> {
  static override summary = 'Read a payout back (A2).'
  static override description = 'Exit code 0 says that it could be read, whatever its status is.'
  static override examples = [
    '<%= config.bin %> payout get 9007199254740993',
    '<%= config.bin %> payout get j-3f9a1c2b7d10',
  ]

  static override args = {
    id: Args.string({
      ignoreStdin: true,
      required: true,
      description: 'a transactionId, or a uniqueId, journal id or key that the journal knows',
    }),
  }

  async run(): Promise<PayoutRead> {
    const { args, flags } = await this.parse(PayoutGet)
    return readPayout(await this.desk(flags, 'payouts'), args.id)
  }

  protected override view(read: PayoutRead): View {
    return payoutView(read)
  }
}
