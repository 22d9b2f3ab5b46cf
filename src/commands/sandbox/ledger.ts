import { PaydeskCommand } from '../../lib/command.ts'
import type { Ledger } from '../../lib/sandbox/ledger.ts'
import { openSandbox } from '../../lib/sandbox/sandbox.ts'
import type { View } from '../../lib/terminal/view.ts'

export default class SandboxLedger extends PaydeskCommand<Ledger> {
  static override summary = 'Show what the sandbox really executed: the truth to compare with.'
  static override examples = [
    '<%= config.bin %> sandbox ledger',
    "<%= config.bin %> sandbox ledger --json --query 'payouts[?executions > `1`]'",
  ]

  async run(): Promise<Ledger> {
    await this.parse(SandboxLedger)
    const sandbox = await openSandbox(this.places.sandbox, this.edge.clock, this.edge.random)
    this.closeAtEnd(() => sandbox.close())
    return await sandbox.ledger()
  }

  protected override view({ payouts }: Ledger): View {
    return [
      {
        kind: 'table',
        head: ['transaction', 'unique id', 'amount', 'status', 'executions', 'created'],
        rows: payouts.map((each) => [
          each.transactionId,
          each.uniqueId,
          `${each.currency} ${each.amount}`,
          each.status,
          each.executions,
          each.createdAt,
        ]),
        empty: 'Nothing was paid in this world.',
      },
    ]
  }
}
