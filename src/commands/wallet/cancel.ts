import { PaydeskCommand } from '../../lib/cli/command.ts'
import { walletArgs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { walletDoneView } from '../../lib/cli/views.ts'
import { consentFlags } from '../../lib/cli/write/flags.ts'
import { WriteAccess } from '../../lib/cli/write/write.ts'
import { cancelWalletOrder } from '../../lib/contract/wallet/wallet.ts'
import type { Done } from '../../lib/desk/receipts.ts'
import { cancelWallet, walletIdOf } from '../../lib/desk/wallet.ts'

export default class WalletCancel extends PaydeskCommand<Done> {
  static override summary = 'Delete a wallet order that is not finalized yet (C3).'
  static override description =
    `After that it cannot be finalized. What is finalized, over or deleted already is refused (5); what nobody has is 6.
--confirm takes the uniqueId. Of one that this journal has deleted already the details are read: 0 if it still is, else what
it is now. Without a definite answer the details are read first, and the deletion sent once more only if it was not done.`
  static override examples = [
    '<%= config.bin %> wallet cancel 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --yes',
    '<%= config.bin %> wallet cancel till-3:receipt-812 --yes --json',
  ]

  static override args = walletArgs
  static override flags = consentFlags

  static override readonly result = receiptOrDryRun('walletCanceledResult')

  readonly #write = new WriteAccess(this)

  async run() {
    const { args, flags } = await this.parse(WalletCancel)
    const profile = await this.#write.desk.profile(flags, 'wallet')
    const uniqueId = await walletIdOf({ profile, journal: await this.#write.desk.journal() }, args.uniqueId)
    return this.#write.run(cancelWalletOrder, { flags, profile, knows: { uniqueId } }, cancelWallet)
  }

  protected override readonly view = walletDoneView
}
