import { type OrderRead, waitForOrder } from '../../lib/desk/order.ts'
import { DeskCommand } from '../../lib/desk-command.ts'
import { orderArgs } from '../../lib/terminal/order-args.ts'
import { orderView } from '../../lib/terminal/order-view.ts'
import type { View } from '../../lib/terminal/view.ts'

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
