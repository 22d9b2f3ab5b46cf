import { completeOrder } from '../../lib/contract/order.ts'
import { findOrder } from '../../lib/desk/find-order.ts'
import { changeOrder } from '../../lib/desk/order.ts'
import { type Done, inCurrency } from '../../lib/desk/receipt.ts'
import { currencyOf } from '../../lib/journal/order-currency.ts'
import { doneView } from '../../lib/terminal/done-view.ts'
import { type DryRun, dryRunView } from '../../lib/terminal/dry-run-view.ts'
import { fieldFlags } from '../../lib/terminal/fields.ts'
import { orderArgs } from '../../lib/terminal/order-args.ts'
import type { View } from '../../lib/terminal/view.ts'
import { consentFlags, fileFlags, WriteCommand } from '../../lib/write-command.ts'

export default class OrderComplete extends WriteCommand<Done | DryRun> {
  static override summary = 'Take the amount that a pre-authorised order has blocked.'
  static override description =
    `For orders created with --pay-with-pre-auth whose status is WAITING_FOR_CONFIRM. It is never sent a second time; without a
definite answer the status of the order settles it (\`resume\`). --confirm takes the amount, with the order's currency where
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
  }

  async run(): Promise<Done | DryRun> {
    const { args, flags } = await this.parse(OrderComplete)
    const profile = await this.profile(flags, 'orders')
    const found = await findOrder({ profile, journal: await this.journal() }, args.id)
    const { integratorOrderId, created } = found
    const currency = currencyOf(created)
    const request = await this.request(completeOrder, flags, profile, { integratorOrderId })
    if (flags['dry-run'] || flags.curl) return this.dryRun(completeOrder, request, profile, flags.curl)
    await this.consent(completeOrder, request, flags, profile, currency)
    const desk = await this.desk(flags, 'orders', profile)
    return inCurrency(await changeOrder(desk, completeOrder, request, found), currency)
  }

  protected override view(result: Done | DryRun): View {
    return 'dryRun' in result ? dryRunView(result as DryRun) : doneView(result)
  }
}
