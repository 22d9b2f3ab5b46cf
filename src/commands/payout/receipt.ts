import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { beneficiaryReceiptView, ReceiptAccess } from '../../lib/cli/listing/receipt.ts'
import type { View } from '../../lib/cli/output/view.ts'
import type { BeneficiaryReceipt } from '../../lib/listing/receipt.ts'

export default class PayoutReceipt extends PaydeskCommand<BeneficiaryReceipt | undefined> {
  static override summary = 'Make a receipt of a payout for its beneficiary: text, a page, or JSON.'
  static override description =
    `It holds what the beneficiary should see and no more: no key, no profile, no id of the client, no balance and no commission. Where the
payout is not paid, unknown or in doubt, it says so first: then it is no receipt, and the exit code is 0 all the same (\`--query paid\`).
It speaks of what this journal knows; --refresh asks the service before.`
  static override examples = [
    '<%= config.bin %> payout receipt j-3f9a1c2b7d10 --refresh',
    '<%= config.bin %> payout receipt payroll-2026-11:emp-17 --html --out receipt.html',
  ]

  static override args = {
    id: Args.string({ ignoreStdin: true, required: true, description: 'a journal id, uniqueId, transactionId or key' }),
  }

  static override flags = {
    html: Flags.boolean({ description: 'one page for a browser, a mail or paper, on stdout or in --out' }),
    out: Flags.string({ description: 'a new file for the page; - is stdout', helpValue: '<file>' }),
    refresh: Flags.boolean({ description: 'read its status from the service first' }),
  }

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).beneficiaryReceiptResult

  readonly #receipts = new ReceiptAccess(this)

  async run(): Promise<BeneficiaryReceipt | undefined> {
    const { args, flags } = await this.parse(PayoutReceipt)
    return (await this.#receipts.receipt(args.id, flags)) ?? undefined
  }

  protected override view(receipt: BeneficiaryReceipt | undefined): View {
    const { written, zone } = this.#receipts
    const page: View = written === null ? [] : [{ kind: 'text', text: `The page is in ${written}.` }]
    return receipt ? [...beneficiaryReceiptView(receipt, zone), ...page] : []
  }
}
