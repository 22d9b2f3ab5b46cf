import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { ListAccess, listFlags } from '../../lib/cli/listing/lists.ts'
import { listedRowForms, listedView, totalsRowForms, totalsView } from '../../lib/cli/listing/view.ts'
import type { View } from '../../lib/cli/output/view.ts'
import type { ListTotals, ThingList } from '../../lib/listing/list.ts'

export default class PayoutList extends PaydeskCommand<ThingList | ListTotals> {
  static override summary = 'List payouts of this journal, newest first.'
  static override description =
    `Lists payouts of every profile unless -p names one. Every command takes the id of a row. The status is the
last one that the journal saw; --refresh reads the payouts that are not final. --totals adds them up by day,
currency and payee. In a pipe a row is one line of cells with tabs between them. Guide:
docs/how-to/find-a-payment.md`
  static override examples = [
    '<%= config.bin %> payout list --yesterday',
    '<%= config.bin %> payout list --open --refresh',
    '<%= config.bin %> payout list --since 2026-11-01 --output csv > november.csv',
    '<%= config.bin %> payout list --totals --since 2026-11-01 --refresh',
  ]

  static override flags = {
    ...listFlags,
    totals: Flags.boolean({
      description: 'show totals by day, currency and payee instead of rows',
      exclusive: ['limit'],
    }),
  }

  static override readonly result = async () => {
    const { listedResult, listTotalsResult } = await import('../../lib/listing/result.ts')
    return [listedResult, listTotalsResult]
  }

  readonly #lists = new ListAccess(this, 'payout')

  async run(): Promise<ThingList | ListTotals> {
    const { flags } = await this.parse(PayoutList)
    return flags.totals ? this.#lists.totals(flags) : this.#lists.list(flags)
  }

  protected override rowForms(listed: ThingList | ListTotals) {
    return 'totals' in listed ? totalsRowForms(listed) : listedRowForms(listed, this.#lists.zone)
  }

  protected override view(listed: ThingList | ListTotals): View {
    return 'totals' in listed ? totalsView(listed) : listedView('payout', listed, this.#lists.zone)
  }
}
