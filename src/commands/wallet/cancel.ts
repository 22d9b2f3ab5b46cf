import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalOf } from '../../lib/cli/desk/journal.ts'
import { profileOf } from '../../lib/cli/desk/profile.ts'
import { walletArgs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { walletDoneView } from '../../lib/cli/views.ts'
import { consentFlags } from '../../lib/cli/write/flags.ts'
import { runWrite } from '../../lib/cli/write/write.ts'
import { cancelWalletOrder } from '../../lib/contract/wallet/wallet.ts'
import type { Done } from '../../lib/desk/receipts.ts'
import { cancelWallet, walletIdOf } from '../../lib/desk/wallet.ts'

export default class WalletCancel extends PaydeskCommand<Done> {
  static override summary = 'Delete a wallet order that is not finalized yet.'
  static override description =
    `It cannot be finalized afterwards. An order that is finalized, expired or deleted is refused (5). --confirm
takes the uniqueId. If the answer is lost the details are read, and the deletion is repeated only if it was
not done. Guide: docs/how-to/wallet.md`
  static override examples = [
    '<%= config.bin %> wallet cancel 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --yes',
    '<%= config.bin %> wallet cancel till-3:receipt-812 --yes --json',
  ]

  static override args = walletArgs
  static override flags = consentFlags

  static override readonly result = receiptOrDryRun('walletCanceledResult')

  async run() {
    const { args, flags } = await this.parse(WalletCancel)
    const profile = await profileOf(this, flags, 'wallet')
    const uniqueId = await walletIdOf({ profile, journal: await journalOf(this) }, args.uniqueId)
    return runWrite(this, cancelWalletOrder, { flags, profile, known: { uniqueId } }, cancelWallet)
  }

  protected override readonly view = walletDoneView
}
