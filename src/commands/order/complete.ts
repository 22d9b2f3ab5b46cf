import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { doneView } from '../../lib/cli/views.ts'
import { consentFlags, fileFlags, localCheckFlags } from '../../lib/cli/write/flags.ts'
import { WriteAccess } from '../../lib/cli/write/write.ts'
import type { Members } from '../../lib/contract/core/members.ts'
import type { RequestOf } from '../../lib/contract/operation.ts'
import { completeOrder } from '../../lib/contract/order/order.ts'
import { currencyOfCreated } from '../../lib/contract/wallet/wallet.ts'
import type { Desk } from '../../lib/desk/desk.ts'
import { submitOrderChange } from '../../lib/desk/orders.ts'
import { type Done, inCurrency } from '../../lib/desk/receipts.ts'
import { mustBeBlocked } from '../../lib/desk/refunds.ts'

export default class OrderComplete extends PaydeskCommand<Done> {
  static override summary = 'Take the amount that a pre-authorised order has blocked.'
  static override description =
    `For orders created with --pay-with-pre-auth whose status is WAITING_FOR_CONFIRM. It is never sent a second time; without a
definite answer the status of the order resolves it (\`resume\`). More than the order was made for is refused (2) before anything
is sent; --no-local-check leaves the decision to the service. --confirm takes the amount, with the order's currency where
the journal knows it.`
  static override examples = [
    '<%= config.bin %> order complete 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --amount 12.50 --yes',
    '<%= config.bin %> order complete shop-4711 --amount 12.50 --confirm "GEL 12.50"',
  ]

  static override args = orderArgs
  static override flags = {
    ...fieldFlags(completeOrder, ['integratorId', 'integratorOrderId']),
    ...consentFlags,
    ...fileFlags,
    ...localCheckFlags,
  }

  static override readonly result = receiptOrDryRun('orderCompletedResult')

  readonly #write = new WriteAccess(this)

  async run() {
    const { args, flags } = await this.parse(OrderComplete)
    const { profile, found } = await this.#write.order(flags, args.id)
    const { integratorOrderId, created } = found
    const currency = currencyOfCreated(created)
    const wish = { flags, profile, knows: { integratorOrderId }, currency }
    const check = async (request: Members) => {
      if (!flags['no-local-check']) mustBeBlocked(found, request, currency)
    }
    const complete = async (desk: Desk, request: RequestOf<typeof completeOrder>) =>
      inCurrency(await submitOrderChange(desk, completeOrder, request, found), currency)
    return this.#write.run(completeOrder, wish, complete, { check })
  }

  protected override readonly view = doneView
}
