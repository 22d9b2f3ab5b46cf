import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { beneficiaryReceiptView, ReceiptAccess } from '../../lib/cli/listing/receipt.ts'
import type { View } from '../../lib/cli/output/view.ts'
import type { BeneficiaryReceipt } from '../../lib/listing/receipt.ts'

export default class PayoutReceipt extends PaydeskCommand<BeneficiaryReceipt | undefined> {
  static override summary = 'Make a receipt for the beneficiary: text, HTML or JSON.'
  static override description =
    `Shows only what the beneficiary should see: no key, profile, client id, balance or commission. If the payout
is not paid, or not known to be paid, the page says so first; \`--query paid\` tells a script. Uses the journal;
--refresh asks the service first.`
  static override examples = [
    '<%= config.bin %> payout receipt j-3f9a1c2b7d10 --refresh',
    '<%= config.bin %> payout receipt payroll-2026-11:emp-17 --html --out receipt.html',
  ]

  static override args = {
    id: Args.string({ ignoreStdin: true, required: true, description: 'a journal id, uniqueId, transactionId or key' }),
  }

  static override flags = {
    html: Flags.boolean({ description: 'write one HTML page, to stdout or --out' }),
    out: Flags.string({ description: 'new file for the page; - is stdout', helpValue: '<file>' }),
    refresh: Flags.boolean({ description: 'first read the status from the service' }),
  }

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).beneficiaryReceiptResult

  readonly #receipts = new ReceiptAccess(this)

  async run(): Promise<BeneficiaryReceipt | undefined> {
    const { args, flags } = await this.parse(PayoutReceipt)
    return (await this.#receipts.receipt(args.id, flags)) ?? undefined
  }

  protected override view(receipt: BeneficiaryReceipt | undefined): View {
    const { written, zone } = this.#receipts
    const page: View = written === null ? [] : [{ kind: 'text', text: `Written to ${written}.` }]
    return receipt ? [...beneficiaryReceiptView(receipt, zone), ...page] : []
  }
}
