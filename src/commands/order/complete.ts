import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { doneView } from '../../lib/cli/views.ts'
import { consentFlags, fileFlags, localCheckFlags } from '../../lib/cli/write/flags.ts'
import { orderToChange, runWrite } from '../../lib/cli/write/write.ts'
import type { Members } from '../../lib/contract/core/members.ts'
import type { RequestOf } from '../../lib/contract/operation.ts'
import { completeOrder } from '../../lib/contract/order/order.ts'
import { currencyOfCreated } from '../../lib/contract/wallet/wallet.ts'
import type { Desk } from '../../lib/desk/desk.ts'
import { submitOrderChange } from '../../lib/desk/orders.ts'
import { type Done, inCurrency } from '../../lib/desk/receipts.ts'
import { mustBeBlocked } from '../../lib/desk/refunds.ts'

export default class OrderComplete extends PaydeskCommand<Done> {
  static override summary = 'Capture the amount of a pre-authorised order.'
  static override description =
    `For orders made with --pay-with-pre-auth in WAITING_FOR_CONFIRM. More than the order's amount is refused
before it is sent (2); --no-local-check lets the service decide. --confirm takes the amount. It is never sent
twice: if the answer is lost, \`resume\` reads the status. Guide: docs/how-to/orders.md`
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

  async run() {
    const { args, flags } = await this.parse(OrderComplete)
    const { profile, found } = await orderToChange(this, flags, args.id)
    const { integratorOrderId, created } = found
    const currency = currencyOfCreated(created)
    const check = async (request: Members) => {
      if (!flags['no-local-check']) mustBeBlocked(found, request, currency)
    }
    const complete = async (desk: Desk, request: RequestOf<typeof completeOrder>) =>
      inCurrency(await submitOrderChange(desk, completeOrder, request, found), currency)
    const write = { flags, profile, known: { integratorOrderId }, currency, check }
    return runWrite(this, completeOrder, write, complete)
  }

  protected override readonly view = doneView
}
