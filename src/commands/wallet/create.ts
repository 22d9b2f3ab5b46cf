import { PaydeskCommand } from '../../lib/cli/command.ts'
import { consultSandbox, profileOf } from '../../lib/cli/desk/profile.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { askForMissing } from '../../lib/cli/prompts/ask.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { walletCreatedView } from '../../lib/cli/views.ts'
import { consentFlags, fileFlags, keyFlags } from '../../lib/cli/write/flags.ts'
import type { Write } from '../../lib/cli/write/request.ts'
import { runWrite } from '../../lib/cli/write/write.ts'
import { createWalletOrder } from '../../lib/contract/wallet/wallet.ts'
import { createWallet, type WalletCreated } from '../../lib/desk/wallet.ts'

export default class WalletCreate extends PaydeskCommand<WalletCreated> {
  static override summary = 'Register a wallet order from a payment QR code.'
  static override description =
    `No money moves yet. Shows who is to be paid, how much, and until when you can run \`wallet finalize\` (about
five minutes). REJECTED ends with 5. If the answer is lost it ends with 9, and \`resume\` looks for the order;
it is never sent twice. --confirm takes the uniqueId. Guide: docs/how-to/wallet.md`
  static override examples = [
    '<%= config.bin %> wallet create --uri "https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=5a9db0c0-0311-4a11-8c11-000000000311" --yes',
    '<%= config.bin %> wallet create -p sandbox --file scanned.json --key till-3:receipt-812 --yes --json',
  ]

  static override flags = { ...fieldFlags(createWalletOrder), ...consentFlags, ...fileFlags, ...keyFlags }

  static override readonly result = receiptOrDryRun('walletCreatedResult', ' A REJECTED order ends with exit code 5.')

  async run() {
    const { flags } = await this.parse(WalletCreate)
    const profile = await profileOf(this, flags, 'wallet')
    const idempotencyKey = flags.key ?? null
    const ask: Write['ask'] = async (asker, operation, typed) => {
      const isSandbox = profile.environment === 'sandbox'
      const offers = isSandbox ? await (await consultSandbox(this)).receivers('wallet') : []
      return askForMissing(asker, operation, typed, { uri: { offers } })
    }
    return runWrite(this, createWalletOrder, { flags, profile, ask }, (desk, request) =>
      createWallet(desk, request, { idempotencyKey }),
    )
  }

  protected override readonly view = walletCreatedView
}
