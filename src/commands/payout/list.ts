import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { listFlags, listsInWords, listThings, totalPayouts } from '../../lib/cli/listing/lists.ts'
import { listedRowForms, listedView, totalsRowForms, totalsView } from '../../lib/cli/listing/view.ts'
import type { Zone } from '../../lib/cli/output/time.ts'
import type { View } from '../../lib/cli/output/view.ts'
import type { ListTotals, ThingList } from '../../lib/listing/list.ts'

export default class PayoutList extends PaydeskCommand<ThingList | ListTotals> {
  static override summary = 'List payouts of this journal, newest first.'
  static override description =
    `Payouts of every profile, unless -p names one. The id of a row is what every command takes. ${listsInWords}
--totals adds up all that the other flags ask for, by local day, currency, name and account, whatever their number: \`accepted\` are those
that the service took (states accepted and exists) and that did not end unpaid, \`unknown\` those whose outcome is unknown or in doubt,
\`refused\` those that were refused or ended REJECTED, FAILED or DELETED. Held, unsent and turned-away ones count nowhere. Currencies
are never added together.`
  static override examples = [
    '<%= config.bin %> payout list --yesterday',
    '<%= config.bin %> payout list --open --refresh',
    '<%= config.bin %> payout list --since 2026-11-01 --output csv > november.csv',
    '<%= config.bin %> payout list --totals --since 2026-11-01 --refresh',
  ]

  static override flags = {
    ...listFlags,
    totals: Flags.boolean({
      description: 'show totals by day, currency, name and account instead of rows',
      exclusive: ['limit'],
    }),
  }

  static override readonly result = async () => {
    const { listedResult, listTotalsResult } = await import('../../lib/listing/result.ts')
    return [listedResult, listTotalsResult]
  }

  async run(): Promise<ThingList | ListTotals> {
    const { flags } = await this.parse(PayoutList)
    return flags.totals ? totalPayouts(this, flags) : listThings(this, 'payout', flags)
  }

  protected override rowForms(listed: ThingList | ListTotals, zone: Zone) {
    return 'totals' in listed ? totalsRowForms(listed) : listedRowForms(listed, zone)
  }

  protected override view(listed: ThingList | ListTotals, zone: Zone): View {
    return 'totals' in listed ? totalsView(listed) : listedView('payout')(listed, zone)
  }
}
