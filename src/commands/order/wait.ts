import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openDesk } from '../../lib/cli/desk/desk.ts'
import { hintingAtOwner } from '../../lib/cli/desk/order-owner.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { orderView } from '../../lib/cli/views.ts'
import { type OrderRead, waitForOrder } from '../../lib/desk/orders.ts'

export default class OrderWait extends PaydeskCommand<OrderRead> {
  static override summary = 'Wait until an order is final.'
  static override description =
    `Exit code 0: paid (SUCCESS or refunded); 5: not paid (FAILED, CANCELED, EXPIRED); 8: --timeout (120 s) passed
first. WAITING_FOR_CONFIRM is not final: \`order complete\` captures it. FAILED is not final before the order's
validUntil, because its payer may try again.`
  static override examples = ['<%= config.bin %> order wait 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --timeout 10m']

  static override args = orderArgs

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).orderReadResult

  async run() {
    const { args, flags } = await this.parse(OrderWait)
    const desk = await hintingAtOwner(this, flags, args.id, () => openDesk(this, flags, 'orders'))
    return waitForOrder(desk, args.id)
  }

  protected override readonly view = orderView
}
