import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { walletArgs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { walletDoneView } from '../../lib/cli/views.ts'
import { finalizeOrder } from '../../lib/cli/write/finalizing.ts'
import { consentFlags, fileFlags, keyFlags, localCheckFlags } from '../../lib/cli/write/flags.ts'
import { finalizeWalletOrder } from '../../lib/contract/wallet/wallet.ts'
import type { Done } from '../../lib/desk/receipts.ts'

export default class WalletFinalize extends PaydeskCommand<Done> {
  static override summary = 'Pay a registered wallet order within its five minutes.'
  static override description =
    `Money moves only with --final-status SUCCESS. A wrong amount or a passed deadline is refused before anything
is sent (2); --no-local-check lets the service decide. Name the order by its id or by the --key of \`wallet
create\`. Exit code 5: refused, e.g. WRONG_AMOUNT; 7: finalized by somebody else. Guide: docs/how-to/wallet.md`
  static override examples = [
    '<%= config.bin %> wallet finalize 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --amount 25.00 --final-status SUCCESS --confirm "GEL 25.00"',
    '<%= config.bin %> wallet finalize --key till-3:receipt-812 --amount 7.50 --final-status SUCCESS --yes --json',
  ]

  static override args = {
    uniqueId: Args.string({
      ignoreStdin: true,
      description: `${walletArgs.uniqueId.description}; a terminal offers the orders that can be finalized`,
    }),
  }
  static override flags = {
    ...fieldFlags(finalizeWalletOrder),
    ...consentFlags,
    ...fileFlags,
    ...keyFlags,
    ...localCheckFlags,
  }

  static override readonly result = receiptOrDryRun(
    'walletFinalizedResult',
    ' The order is paid; any other outcome ends with its exit code.',
  )

  async run() {
    const { args, flags } = await this.parse(WalletFinalize)
    return finalizeOrder(this, args.uniqueId, flags)
  }

  protected override readonly view = walletDoneView
}
