import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { type DryRun, dryRunView } from '../../lib/cli/views/dry-run.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { walletCreatedView } from '../../lib/cli/views/wallet.ts'
import { consentFlags, fileFlags, keyFlags, WriteCommand } from '../../lib/cli/write-command.ts'
import { createWalletOrder } from '../../lib/contract/wallet/wallet.ts'
import { createWallet, type WalletCreated } from '../../lib/desk/wallet/wallet.ts'

export default class WalletCreate extends WriteCommand<WalletCreated | DryRun> {
  static override summary = 'Register an order from the address of a payment QR code (C1).'
  static override description =
    `Nothing moves yet: it tells who is to be paid, how much (or from how much to how much), and until when \`wallet finalize\` has
it paid: five minutes after this was sent, less a margin. REJECTED ends with 5 and the reason. At a terminal it asks for the
address. It is never sent a second time: without a definite answer it ends with 9, and \`resume\` looks whether the service
has it. --confirm takes the uniqueId.`
  static override examples = [
    '<%= config.bin %> wallet create --uri "https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=f47ac10b-58cc-4372-a567-0e02b2c3d479" --yes',
    '<%= config.bin %> wallet create -p sandbox --file scanned.json --key till-3:receipt-812 --yes --json',
  ]

  static override flags = { ...fieldFlags(createWalletOrder), ...consentFlags, ...fileFlags, ...keyFlags }

  async run(): Promise<WalletCreated | DryRun> {
    const { flags } = await this.parse(WalletCreate)
    const profile = await this.profile(flags, 'wallet')
    const request = await this.request(createWalletOrder, flags, profile)
    if (flags['dry-run'] || flags.curl) return this.dryRun(createWalletOrder, request, profile, flags.curl)
    await this.consent(createWalletOrder, request, flags, profile)
    const desk = await this.desk(flags, 'wallet', profile)
    return createWallet(desk, request, { businessKey: flags.key ?? null })
  }

  protected override view(result: WalletCreated | DryRun): View {
    return 'dryRun' in result ? dryRunView(result as DryRun) : walletCreatedView(result)
  }
}
