import { PaydeskCommand } from '../../lib/cli/command.ts'
import { answerOr, curlFlags } from '../../lib/cli/desk/read.ts'
import { walletArgs } from '../../lib/cli/flags/shared.ts'
import { answerOrCurl } from '../../lib/cli/unsent.ts'
import { walletReadView } from '../../lib/cli/views.ts'
import { readWallet, type WalletRead } from '../../lib/desk/wallet.ts'

export default class WalletDetails extends PaydeskCommand<WalletRead> {
  static override summary = 'Read the status of a wallet order.'
  static override description =
    'Exit code 0 means that it could be read, whatever its status is. FAILED: rejected, deleted or not finalized in time; no money moved.'
  static override examples = [
    '<%= config.bin %> wallet details 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> wallet details till-3:receipt-812 --json --query status',
  ]

  static override args = walletArgs
  static override flags = curlFlags

  static override readonly result = answerOrCurl('walletReadResult')

  async run() {
    const { args, flags } = await this.parse(WalletDetails)
    return answerOr(this, flags, 'wallet', (desk) => readWallet(desk, args.uniqueId))
  }

  protected override readonly view = walletReadView
}
