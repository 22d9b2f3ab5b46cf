import { PaydeskCommand } from '../../lib/cli/command.ts'
import { listFlags, listsInWords, listThings } from '../../lib/cli/listing/lists.ts'
import { listedRowForms, listedView } from '../../lib/cli/listing/view.ts'
import type { ThingList } from '../../lib/listing/list.ts'

export default class OrderList extends PaydeskCommand<ThingList> {
  static override summary = 'List orders of this journal, newest first.'
  static override description =
    `Orders of every profile, unless -p names one; the currency and amount are those of the creation. The id of a row is what every command takes. ${listsInWords}`
  static override examples = [
    '<%= config.bin %> order list --yesterday',
    '<%= config.bin %> order list --open --refresh',
    '<%= config.bin %> order list --since 2026-11-01 --output csv > november.csv',
  ]

  static override flags = listFlags

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).listedResult

  async run(): Promise<ThingList> {
    const { flags } = await this.parse(OrderList)
    return listThings(this, 'order', flags)
  }

  protected override readonly rowForms = listedRowForms

  protected override readonly view = listedView('order')
}
