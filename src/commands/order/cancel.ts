import { PaydeskCommand } from '../../lib/cli/command.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { doneView } from '../../lib/cli/views.ts'
import { consentFlags } from '../../lib/cli/write/flags.ts'
import { orderToChange, runWrite } from '../../lib/cli/write/write.ts'
import { cancelOrder } from '../../lib/contract/order/order.ts'
import { submitOrderChange } from '../../lib/desk/orders.ts'
import type { Done } from '../../lib/desk/receipts.ts'

export default class OrderCancel extends PaydeskCommand<Done> {
  static override summary = 'Cancel an order that is not paid yet.'
  static override description =
    `Works for orders in INITIAL or PROCESSING; others are refused (5). --confirm takes the integratorOrderId. If
the answer is lost, the status is read, and the cancellation is repeated only if it was not done. Guide:
docs/how-to/orders.md`
  static override examples = [
    '<%= config.bin %> order cancel 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --yes',
    '<%= config.bin %> order cancel 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --confirm 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  ]

  static override args = orderArgs
  static override flags = consentFlags

  static override readonly result = receiptOrDryRun('orderCanceledResult')

  async run() {
    const { args, flags } = await this.parse(OrderCancel)
    const { profile, found } = await orderToChange(this, flags, args.id)
    const { integratorOrderId } = found
    const write = { flags, profile, known: { integratorOrderId } }
    return runWrite(this, cancelOrder, write, (desk, request) => submitOrderChange(desk, cancelOrder, request, found))
  }

  protected override readonly view = doneView
}
