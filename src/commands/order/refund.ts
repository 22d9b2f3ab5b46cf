import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { doneView } from '../../lib/cli/views.ts'
import { localCheckFlags, writeFlags } from '../../lib/cli/write/flags.ts'
import type { Write } from '../../lib/cli/write/request.ts'
import { orderToChange, runWrite } from '../../lib/cli/write/write.ts'
import type { RequestOf } from '../../lib/contract/operation.ts'
import { refundOrder } from '../../lib/contract/order/refund.ts'
import { currencyOfCreated } from '../../lib/contract/wallet/wallet.ts'
import type { Desk } from '../../lib/desk/desk.ts'
import { knownOfRefund, mustBeLeft, submitOrderChange } from '../../lib/desk/orders.ts'
import { type Done, inCurrency } from '../../lib/desk/receipts.ts'
import { orderSum } from '../../lib/desk/refunds.ts'

export default class OrderRefund extends PaydeskCommand<Done> {
  static override summary = 'Refund a paid order, or a part of it.'
  static override description =
    `The service only accepts the request (REFUND_REQUESTED); \`order status\` shows how it ends. It has no ids for
refunds, so a refund is never sent twice, and a --key protects on this journal only. If the answer is lost it
ends with 9, and only you can resolve it (\`resume --settle\`). Guide: docs/how-to/orders.md`
  static override examples = [
    '<%= config.bin %> order refund 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --amount 12.50 --key refund-4711 --yes',
    '<%= config.bin %> order refund shop-4711 --amount 5 --refund-detail IBAN:GE29NB0000000101904917=5.00 --confirm "GEL 5.00"',
  ]

  static override args = orderArgs
  static override flags = {
    ...fieldFlags(refundOrder, ['integratorId', 'integratorOrderId']),
    ...writeFlags,
    ...localCheckFlags,
    key: Flags.string({
      description: 'idempotency key: the same key is the same refund, on this journal only',
      helpValue: 'refund-4711',
      helpGroup: 'WRITE',
    }),
  }

  static override readonly result = receiptOrDryRun(
    'orderRefundedResult',
    ' REFUND_REQUESTED is not final: `order status` shows how the refund ends.',
  )

  async run() {
    const { args, flags } = await this.parse(OrderRefund)
    const { profile, journal, found } = await orderToChange(this, flags, args.id)
    const { integratorOrderId, created } = found
    const currency = currencyOfCreated(created)
    const whole = orderSum(found, currency)
    const options = { idempotencyKey: flags.key ?? null, allowDuplicate: flags['allow-duplicate'] ?? null }
    const check: Write['check'] = async (request, desk) => {
      if (!flags['no-local-check']) await mustBeLeft(journal, found, request, { ...options, currency, desk })
    }
    const refund = async (desk: Desk, request: RequestOf<typeof refundOrder>) =>
      inCurrency(await submitOrderChange(desk, refundOrder, request, found, options), currency)
    const remarksOn: Write['remarksOn'] = async (_, desk) => knownOfRefund(await desk(), found, currency)
    const write = { flags, profile, known: { integratorOrderId }, currency, whole, check, remarksOn }
    return runWrite(this, refundOrder, write, refund)
  }

  protected override readonly view = doneView
}
