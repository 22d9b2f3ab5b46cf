import { PaydeskCommand } from '../../lib/cli/command.ts'
import { ListAccess, listFlags } from '../../lib/cli/listing/lists.ts'
import { listedRowForms, listedView } from '../../lib/cli/listing/view.ts'
import type { View } from '../../lib/cli/output/view.ts'
import type { ThingList } from '../../lib/listing/list.ts'

export default class OrderList extends PaydeskCommand<ThingList> {
  static override summary = 'List orders of this journal, newest first.'
  static override description =
    `Lists orders of every profile unless -p names one. Every command takes the id of a row. The status is the last
one that the journal saw; --refresh reads the orders that are not final. In a pipe a row is one line of cells
with tabs between them; --output csv has the same columns with a header. Guide: docs/how-to/find-a-payment.md`
  static override examples = [
    '<%= config.bin %> order list --yesterday',
    '<%= config.bin %> order list --open --refresh',
    '<%= config.bin %> order list --since 2026-11-01 --output csv > november.csv',
  ]

  static override flags = listFlags

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).listedResult

  readonly #lists = new ListAccess(this, 'order')

  async run(): Promise<ThingList> {
    const { flags } = await this.parse(OrderList)
    return this.#lists.list(flags)
  }

  protected override rowForms(listed: ThingList) {
    return listedRowForms(listed, this.#lists.zone)
  }

  protected override view(listed: ThingList): View {
    return listedView('order', listed, this.#lists.zone)
  }
}
