import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { beneficiaryReceiptView, payoutReceipt } from '../../lib/cli/listing/receipt.ts'
import type { Zone } from '../../lib/cli/output/time.ts'
import { textView, type View } from '../../lib/cli/output/view.ts'
import { type PageTarget, pageTarget } from '../../lib/cli/page.ts'
import type { BeneficiaryReceipt } from '../../lib/listing/receipt.ts'

export default class PayoutReceipt extends PaydeskCommand<BeneficiaryReceipt> {
  static override summary = 'Make a receipt of a payout for its beneficiary: text, a page, or JSON.'
  static override description =
    `It holds what the beneficiary should see and no more: no key, no profile, no id of the client, no balance and no commission. Where the
payout is not paid, unknown or in doubt, it says so first: then it is no receipt, and the exit code is 0 all the same (\`--query paid\`).
It speaks of what this journal knows; --refresh asks the service before.`
  static override examples = [
    '<%= config.bin %> payout receipt j-3f9a1c2b7d10 --refresh',
    '<%= config.bin %> payout receipt payroll-2026-11:emp-17 --html --out receipt.html',
  ]

  static override args = { id: named('a journal id, uniqueId, transactionId or key') }

  static override flags = {
    html: Flags.boolean({ description: 'one page for a browser, a mail or paper, on stdout or in --out' }),
    out: Flags.string({ description: 'a new file for the page; - is stdout', helpValue: '<file>' }),
    refresh: Flags.boolean({ description: 'read its status from the service first' }),
  }

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).beneficiaryReceiptResult

  readonly #desk = new DeskAccess(this)
  #page: PageTarget | null = null

  async run() {
    const { args, flags } = await this.parse(PayoutReceipt)
    this.#page = pageTarget(flags, this)
    return payoutReceipt(this.#desk, args.id, flags, this.#page)
  }

  protected override view(receipt: BeneficiaryReceipt, zone: Zone): View {
    const page = this.#page === null ? [] : textView(`The page is in ${this.#page.path}.`)
    return [...beneficiaryReceiptView(receipt, zone), ...page]
  }
}
