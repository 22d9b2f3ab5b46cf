import type { HeardCallback } from '../../lib/callback/callbacks.ts'
import { heardCallbacks } from '../../lib/cli/callback/callbacks.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { hintingAtOwner } from '../../lib/cli/desk/order-owner.ts'
import { answerOr, curlFlags } from '../../lib/cli/desk/read.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { answerOrCurl } from '../../lib/cli/unsent.ts'
import { orderView } from '../../lib/cli/views.ts'
import { refundRan } from '../../lib/contract/order/status.ts'
import { type OrderRead, readOrder } from '../../lib/desk/orders.ts'
import { Failure } from '../../lib/failure.ts'

export default class OrderStatus extends PaydeskCommand<OrderRead> {
  static override summary = 'Read the status of an order.'
  static override description =
    'Exit code 0 means that the status could be read, whatever it is. The refunds of this journal, and those that callbacks reported, are listed below it.'
  static override examples = [
    '<%= config.bin %> order status 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> order status j-3f9a1c2b7d10 --json --query status',
  ]

  static override args = orderArgs
  static override flags = curlFlags

  static override readonly result = answerOrCurl('orderReadResult')

  async run() {
    const { args, flags } = await this.parse(OrderStatus)
    const read = await hintingAtOwner(this, flags, args.id, () =>
      answerOr(this, flags, 'orders', (desk) => readOrder(desk, args.id)),
    )
    return 'refunds' in read ? this.#withHeard(read) : read
  }

  /** With the refunds that callbacks tell of; that they cannot be read is a remark only. */
  async #withHeard(read: OrderRead): Promise<OrderRead> {
    try {
      const { integratorOrderId: order, profile } = read
      const heard = await heardCallbacks(this, { order, kind: 'payment' })
      const isOwn = (each: HeardCallback) => each.duplicateOf === null && [null, profile].includes(each.profile)
      const refunds = heard
        .filter((each) => each.status !== null && refundRan(each.status) && isOwn(each))
        .map(({ receivedAt: at, amount, currency, status, callbackId }) => {
          return { at, amount, currency, state: null, status, journalId: null, callbackId }
        })
      const all = [...read.refunds, ...refunds].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
      return { ...read, refunds: all }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { ...read, warnings: [...read.warnings, `the callbacks could not be read: ${error.message}`] }
    }
  }

  protected override readonly view = orderView
}
