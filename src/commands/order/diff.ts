import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { diffView } from '../../lib/cli/views.ts'
import { type OrderDiff as Diff, diffOrder } from '../../lib/desk/diff.ts'

export default class OrderDiff extends PaydeskCommand<Diff> {
  static override summary = 'Compare what the journal holds of an order with what the service shows.'
  static override description =
    `Field by field; nothing is changed. Exit code 0 says that both could be read: whether they agree says "equal" of the
result (\`--query equal\`). The status compared is the one that the journal last saw; \`order status\` brings it up to date.
6 for an order that the journal, or the service, does not know.`
  static override examples = [
    '<%= config.bin %> order diff 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> order diff shop-4711 --json --query equal',
  ]

  static override args = orderArgs

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).orderDiffResult

  readonly #desk = new DeskAccess(this)

  async run() {
    const { args, flags } = await this.parse(OrderDiff)
    return diffOrder(await this.#desk.open(flags, 'orders'), args.id)
  }

  protected override readonly view = diffView
}
