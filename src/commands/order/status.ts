import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { orderArgs } from '../../lib/cli/flags/named.ts'
import type { ReadCurl } from '../../lib/cli/read/read-curl.ts'
import { answerOr, answerOrCurl, curlFlags, orCurl } from '../../lib/cli/read/shown-read.ts'
import { orderView } from '../../lib/cli/views/order.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { type OrderRead, readOrder } from '../../lib/desk/order/order.ts'

export default class OrderStatus extends PaydeskCommand<OrderRead | ReadCurl> {
  static override summary = 'Read how far an order is (B2).'
  static override description =
    'Exit code 0 says that it could be read, whatever its status is. The journal remembers the status.'
  static override examples = [
    '<%= config.bin %> order status 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> order status j-3f9a1c2b7d10 --json --query status',
  ]

  static override args = orderArgs
  static override flags = curlFlags

  static override readonly result = async () =>
    answerOrCurl((await import('../../lib/desk/order/result.ts')).orderReadResult)

  readonly #desk = new DeskAccess(this)

  async run(): Promise<OrderRead | ReadCurl> {
    const { args, flags } = await this.parse(OrderStatus)
    return answerOr(this.#desk, flags, 'orders', (desk) => readOrder(desk, args.id))
  }

  protected override view(read: OrderRead | ReadCurl): View {
    return orCurl(read, orderView)
  }
}
