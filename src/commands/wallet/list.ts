import { PaydeskCommand } from '../../lib/cli/command.ts'
import { listFlags, listsInWords, listThings } from '../../lib/cli/listing/lists.ts'
import { listedRowForms, listedView } from '../../lib/cli/listing/view.ts'
import type { ThingList } from '../../lib/listing/list.ts'

export default class WalletList extends PaydeskCommand<ThingList> {
  static override summary = 'List wallet orders of this journal, newest first.'
  static override description =
    `Wallet orders of every profile, unless -p names one. The amount is that of the finalization, before it the one that the service has
fixed. The id of a row is what every command takes. ${listsInWords}`
  static override examples = [
    '<%= config.bin %> wallet list --yesterday',
    '<%= config.bin %> wallet list --open --refresh',
    '<%= config.bin %> wallet list --since 2026-11-01 --output csv > november.csv',
  ]

  static override flags = listFlags

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).listedResult

  async run(): Promise<ThingList> {
    const { flags } = await this.parse(WalletList)
    return listThings(this, 'wallet order', flags)
  }

  protected override readonly rowForms = listedRowForms

  protected override readonly view = listedView('wallet order')
}
