import { DeskCommand } from '../../lib/cli/desk-command.ts'
import { orderArgs } from '../../lib/cli/flags/order-args.ts'
import { orderView } from '../../lib/cli/views/order.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { type OrderRead, waitForOrder } from '../../lib/desk/order/order.ts'

export default class OrderWait extends DeskCommand<OrderRead> {
  static override summary = 'Stay until an order is final.'
  static override description =
    `SUCCESS and every refund of it end with 0: it was paid. FAILED, CANCELED and EXPIRED end with 5; with 8 when --timeout
(120 s) passes first. WAITING_FOR_CONFIRM is not final: \`order complete\` takes the amount.`
  static override examples = ['<%= config.bin %> order wait 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --timeout 10m']

  static override args = orderArgs

  async run(): Promise<OrderRead> {
    const { args, flags } = await this.parse(OrderWait)
    return waitForOrder(await this.desk(flags, 'orders'), args.id)
  }

  protected override view(read: OrderRead): View {
    return orderView(read)
  }
}
