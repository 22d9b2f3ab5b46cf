import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { orderExampleLines } from '../../lib/cli/flags/order-examples.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { doneView } from '../../lib/cli/views.ts'
import { writeFlags } from '../../lib/cli/write/flags.ts'
import { cardFlags, createNewOrder } from '../../lib/cli/write/new-order.ts'
import { createOrder } from '../../lib/contract/order/order.ts'
import type { Done } from '../../lib/desk/receipts.ts'

export default class OrderCreate extends PaydeskCommand<Done> {
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

  static override readonly result = receiptOrDryRun(
    'orderCreatedResult',
    ' With --wait and exit code 8 stdout holds the receipt as well.',
  )

  #below: View = []

  async run() {
    const { flags } = await this.parse(OrderCreate)
    return createNewOrder(this, flags, (below) => {
      this.#below = below
    })
  }

  protected override readonly view = (done: Done) => [...doneView(done), ...this.#below]
}
