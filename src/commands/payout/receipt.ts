import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { beneficiaryReceiptView, payoutReceipt } from '../../lib/cli/listing/receipt.ts'
import type { Zone } from '../../lib/cli/output/time.ts'
import { textView, type View } from '../../lib/cli/output/view.ts'
import { type PageTarget, pageTarget } from '../../lib/cli/page.ts'
import type { BeneficiaryReceipt } from '../../lib/listing/receipt.ts'

export default class PayoutReceipt extends PaydeskCommand<BeneficiaryReceipt> {
  static override summary = 'Make a receipt for the beneficiary: text, HTML or JSON.'
  static override description =
    `Shows only what the beneficiary should see: no key, profile, client id, balance or commission. If the payout
is not paid, or not known to be paid, the page says so first; \`--query paid\` tells a script. Uses the journal;
--refresh asks the service first.`
  static override examples = [
    '<%= config.bin %> payout receipt j-3f9a1c2b7d10 --refresh',
    '<%= config.bin %> payout receipt payroll-2026-11:emp-17 --html --out receipt.html',
  ]

  static override args = { id: named('a journal id, uniqueId, transactionId or key') }

  static override flags = {
    html: Flags.boolean({ description: 'write one HTML page, to stdout or --out' }),
    out: Flags.string({ description: 'new file for the page; - is stdout', helpValue: '<file>' }),
    refresh: Flags.boolean({ description: 'first read the status from the service' }),
  }

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).beneficiaryReceiptResult

  #page: PageTarget | null = null

  async run() {
    const { args, flags } = await this.parse(PayoutReceipt)
    this.#page = pageTarget(flags, this)
    return payoutReceipt(this, args.id, flags, this.#page)
  }

  protected override view(receipt: BeneficiaryReceipt, zone: Zone): View {
    const page = this.#page === null ? [] : textView(`Written to ${this.#page.path}.`)
    return [...beneficiaryReceiptView(receipt, zone), ...page]
  }
}
