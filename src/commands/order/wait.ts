import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { orderView } from '../../lib/cli/views.ts'
import { type OrderRead, waitForOrder } from '../../lib/desk/orders.ts'

export default class OrderWait extends PaydeskCommand<OrderRead> {
  static override summary = 'Stay until an order is final.'
  static override description =
    `SUCCESS and every refund of it end with 0: it was paid. FAILED, CANCELED and EXPIRED end with 5; with 8 when --timeout
(120 s) passes first. WAITING_FOR_CONFIRM is not final: \`order complete\` takes the amount. Neither is FAILED of an order that
this journal created with a validUntil, before that is over: its payer may try again.`
  static override examples = ['<%= config.bin %> order wait 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --timeout 10m']

  static override args = orderArgs

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).orderReadResult

  readonly #desk = new DeskAccess(this)

  async run() {
    const { args, flags } = await this.parse(OrderWait)
    return waitForOrder(await this.#desk.open(flags, 'orders'), args.id)
  }

  protected override readonly view = orderView
}
