import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { listFlags, listThings } from '../../lib/cli/listing/lists.ts'
import { listedRowForms, listedView } from '../../lib/cli/listing/view.ts'
import type { ThingList } from '../../lib/listing/list.ts'

export default class OrderList extends PaydeskCommand<ThingList> {
  static override summary = 'List orders that were made from this journal, the newest first.'
  static override description =
    `Orders of every profile, unless -p names one; the currency and amount are those of the creation. The id of a row is what every command takes. Times are local, their zone is
said. In a pipe a row is one line, its cells between tabs: id, made, zone, name, account, currency, amount, state, status, moneyMoved, remark,
uniqueId, transactionId, key, profile. --output csv is a sheet with the same columns. The status is the newest that this journal has seen:
--refresh asks the service for those that are not final; what cannot be read is warned of, and the list stands.`
  static override examples = [
    '<%= config.bin %> order list --yesterday',
    '<%= config.bin %> order list --open --refresh',
    '<%= config.bin %> order list --since 2026-11-01 --output csv > november.csv',
  ]

  static override flags = listFlags

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).listedResult

  readonly #desk = new DeskAccess(this)

  async run(): Promise<ThingList> {
    const { flags } = await this.parse(OrderList)
    return listThings(this.#desk, 'order', flags)
  }

  protected override readonly rowForms = listedRowForms

  protected override readonly view = listedView('order')
}
