import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { walletArgs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { walletDoneView } from '../../lib/cli/views.ts'
import { finalizeOrder } from '../../lib/cli/write/finalizing.ts'
import { consentFlags, fileFlags, keyFlags, localCheckFlags } from '../../lib/cli/write/flags.ts'
import { WriteAccess } from '../../lib/cli/write/write.ts'
import { finalizeWalletOrder } from '../../lib/contract/wallet/wallet.ts'
import type { Done } from '../../lib/desk/receipts.ts'

export default class WalletFinalize extends PaydeskCommand<Done> {
  static override summary = 'Have a registered wallet order paid, inside its five minutes (C2).'
  static override description =
    `Here the money moves, and only with --final-status SUCCESS. What the journal knows of \`wallet create\` is held against it
first: a wrong amount, one out of range, a deadline that is over, an order that was rejected, deleted or never finished end
with 2, and nothing is sent; an order whose time is over is read first, and ends with 9 where it cannot be read.
--no-local-check leaves the decision to the service. The order is named by the word behind the command, by --unique-id, or by
the --key that \`wallet create\` was given; at a terminal a wrong amount is asked for again. SUCCESS ends with 0;
ALREADY_FINALISED with 0 after an own attempt whose answer was lost, else with 7; ORDER_NOT_FOUND with 6; WRONG_AMOUNT,
AMOUNT_NOT_IN_RANGE and RECEIVER_REACHED_LIMIT with 5, and a correct one may follow.`
  static override examples = [
    '<%= config.bin %> wallet finalize 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --amount 25.00 --final-status SUCCESS --confirm "GEL 25.00"',
    '<%= config.bin %> wallet finalize --key till-3:receipt-812 --amount 7.50 --final-status SUCCESS --yes --json',
  ]

  static override args = {
    uniqueId: Args.string({
      ignoreStdin: true,
      description: `${walletArgs.uniqueId.description}; at a terminal those that can be finalized are offered`,
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
    ' The order is paid; every other result is the error.',
  )

  readonly #write = new WriteAccess(this)

  async run() {
    const { args, flags } = await this.parse(WalletFinalize)
    return finalizeOrder(this.#write, args.uniqueId, flags)
  }

  protected override readonly view = walletDoneView
}
