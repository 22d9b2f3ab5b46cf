import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openDesk } from '../../lib/cli/desk/desk.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { diffView } from '../../lib/cli/views.ts'
import { type OrderDiff as Diff, diffOrder } from '../../lib/desk/diff.ts'

export default class OrderDiff extends PaydeskCommand<Diff> {
  static override summary = 'Compare an order in the journal with the service.'
  static override description =
    `Compares field by field and changes nothing. Exit code 0 means that both could be read; \`--query equal\` says
whether they agree. The journal's status is the last one it saw: \`order status\` updates it. Exit code 6: one
of them does not have the order.`
  static override examples = [
    '<%= config.bin %> order diff 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> order diff shop-4711 --json --query equal',
  ]

  static override args = orderArgs

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).orderDiffResult

  async run() {
    const { args, flags } = await this.parse(OrderDiff)
    return diffOrder(await openDesk(this, flags, 'orders'), args.id)
  }

  protected override readonly view = diffView
}
