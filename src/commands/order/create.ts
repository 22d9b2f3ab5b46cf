import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { orderExampleLines } from '../../lib/cli/flags/order-examples.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { doneView } from '../../lib/cli/views.ts'
import { cardFlags, cardToCharge, orderWithCard } from '../../lib/cli/write/card.ts'
import { showCheckout } from '../../lib/cli/write/checkout.ts'
import { type DryRun, receiptOrDryRun, viewOrDryRun } from '../../lib/cli/write/dry-run.ts'
import { wantsDryRun, writeFlags } from '../../lib/cli/write/flags.ts'
import { askForOrder } from '../../lib/cli/write/questions.ts'
import type { Wanted } from '../../lib/cli/write/request.ts'
import { WriteAccess } from '../../lib/cli/write/write.ts'
import { createOrder, type OrderRequest } from '../../lib/contract/order/order.ts'
import { placeOrder } from '../../lib/desk/orders.ts'
import type { Done } from '../../lib/desk/receipts.ts'
import { Failure } from '../../lib/failure.ts'

export default class OrderCreate extends PaydeskCommand<Done | DryRun> {
  static override summary = 'Create an order that a payer pays.'
  static override description =
    `The answer holds urlForQR, where the payer pays; --card-from-order or --card-token-file charges a saved card
at once. In a script give a --key (the same key never creates a second order) and --yes, or --confirm "GEL
12.50" on live profiles. An unknown outcome ends with 9: \`resume\` looks for the order. Guide:
docs/how-to/orders.md`
  static override examples = [
    ...orderExampleLines,
    {
      description: 'Charge the card that was saved with an earlier order, and wait',
      command:
        '<%= config.bin %> order create --file order.yaml --card-from-order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --confirm "GEL 12.50" --wait',
    },
  ]

  static override flags = {
    ...fieldFlags(createOrder),
    ...cardFlags,
    ...writeFlags,
    wait: Flags.boolean({
      description: 'wait until the order is final (0 paid, 5 not paid, 8 timeout)',
      helpGroup: 'WRITE',
    }),
    qr: Flags.boolean({ description: 'draw urlForQR as a QR code in the terminal', helpGroup: 'WRITE' }),
    open: Flags.boolean({ description: 'open urlForQR in a browser', helpGroup: 'WRITE' }),
  }

  #qr: View = []

  static override readonly result = async () =>
    receiptOrDryRun(
      (await import('../../lib/desk/results.ts')).orderCreatedResult,
      ' With --wait and exit code 8 stdout holds the receipt as well.',
    )

  readonly #write = new WriteAccess(this)

  async run(): Promise<Done | DryRun> {
    const { flags } = await this.parse(OrderCreate)
    const profile = await this.#write.desk.profile(flags, 'orders')
    const card = await cardToCharge(flags, this.edge)
    const isSandbox = profile.environment === 'sandbox'
    const { sandbox } = this.#write.desk.profiles
    const ask: Wanted['ask'] = async (asker, operation, typed) => {
      const receivers = isSandbox && typed.receiverId === undefined ? await sandbox.receivers('orders') : []
      return askForOrder(asker, operation, typed, { orderType: profile.orderType, receivers })
    }
    const checked = await this.#write.request(createOrder, { flags, profile, knows: card.knows, ask })
    const remarksOn = (order: OrderRequest) => [...card.warnings, ...createOrder.remarks(order)]
    if (wantsDryRun(flags)) {
      const unread = card.savedWith === null ? [] : ['the card was not read: the token is a placeholder']
      const isUnread = card.savedWith !== null
      const dry = await this.#write.dryRun(createOrder, checked, { flags, profile, isUnread })
      return { ...dry, warnings: [...dry.warnings, ...remarksOn(checked), ...unread] }
    }
    const closed = isSandbox && !(await sandbox.runs())
    const desk = await this.#write.desk.openAs(profile, flags)
    const { key: businessKey = null, 'allow-duplicate': allowDuplicate = null, wait, qr, open } = flags
    const { known, request: whole, cardMask } = await orderWithCard(desk, card, checked, businessKey)
    const isCharged = whole.cardToken !== undefined
    const details = isCharged ? [`charges ${['the saved card', cardMask].filter(Boolean).join(' ')} at once`] : []
    const wish = { flags, profile, details, knows: card.knows }
    const { request } = known ? { request: whole } : await this.#write.consent(createOrder, whole, wish)
    const remarks = remarksOn(request)
    const placed = placeOrder(desk, request, { businessKey, allowDuplicate, wait, known }, async (done) => {
      const wishes = { qr, open, closed, wait, charged: isCharged, naming: desk.naming }
      const { view, warnings } = await showCheckout(done, wishes, this.edge, this.output)
      this.#qr = view
      return [...(done.replayed ? [] : remarks), ...warnings]
    })
    return placed.catch((error) => Promise.reject(withRemarks(error, remarks)))
  }

  protected override view(result: Done | DryRun): View {
    return viewOrDryRun(result, (done) => [...doneView(done), ...this.#qr])
  }
}

/** A refusal with what was unusual about the request: the service need not say which field it means. */
function withRemarks(error: unknown, remarks: readonly string[]): unknown {
  return error instanceof Failure && error.kind === 'refused' ? error.with({ warnings: remarks }) : error
}
