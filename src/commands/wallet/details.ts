import { readWallet, type WalletRead } from '../../lib/desk/read-wallet.ts'
import { DeskCommand } from '../../lib/desk-command.ts'
import type { View } from '../../lib/terminal/view.ts'
import { walletArgs } from '../../lib/terminal/wallet-args.ts'
import { walletReadView } from '../../lib/terminal/wallet-view.ts'

export default class WalletDetails extends DeskCommand<WalletRead> {
  static override summary = 'Read how far a wallet order is (C4).'
  static override description =
    'Exit code 0 says that it could be read, whatever its status is. FAILED means rejected, deleted or not finalized in time: nothing moved.'
  static override examples = [
    '<%= config.bin %> wallet details 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> wallet details till-3:receipt-812 --json --query status',
  ]

  static override args = walletArgs

  async run(): Promise<WalletRead> {
    const { args, flags } = await this.parse(WalletDetails)
    return readWallet(await this.desk(flags, 'wallet'), args.uniqueId)
  }

  protected override view(read: WalletRead): View {
    return walletReadView(read)
  }
}
