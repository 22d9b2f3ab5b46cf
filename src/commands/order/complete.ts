import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { orderArgs } from '../../lib/cli/flags/order-args.ts'
import { doneView } from '../../lib/cli/views/done.ts'
import { type DryRun, dryRunView } from '../../lib/cli/views/dry-run.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { consentFlags, fileFlags, WriteCommand } from '../../lib/cli/write-command.ts'
import { completeOrder } from '../../lib/contract/order/order.ts'
import { orderOfId } from '../../lib/desk/order/find.ts'
import { submitOrderChange } from '../../lib/desk/order/order.ts'
import { type Done, inCurrency } from '../../lib/desk/receipt/receipt.ts'
import { currencyOfCreated } from '../../lib/journal/order-currency.ts'

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
    const found = await orderOfId({ profile, journal: await this.journal() }, args.id)
    const { integratorOrderId, created } = found
    const currency = currencyOfCreated(created)
    const request = await this.request(completeOrder, flags, profile, { integratorOrderId })
    if (flags['dry-run'] || flags.curl) return this.dryRun(completeOrder, request, profile, flags.curl)
    await this.consent(completeOrder, request, flags, profile, currency)
    const desk = await this.desk(flags, 'orders', profile)
    return inCurrency(await submitOrderChange(desk, completeOrder, request, found), currency)
  }

  protected override view(result: Done | DryRun): View {
    return 'dryRun' in result ? dryRunView(result as DryRun) : doneView(result)
  }
}
