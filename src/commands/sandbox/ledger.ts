import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { Block, Cell, View } from '../../lib/cli/output/view.ts'
import { ownSandbox } from '../../lib/cli/sandbox.ts'
import type { Ledger } from '../../lib/sandbox/sandbox.ts'

export default class SandboxLedger extends PaydeskCommand<Ledger> {
  static override summary = 'Show what the sandbox really executed: the truth to compare with.'
  static override examples = [
    '<%= config.bin %> sandbox ledger',
    "<%= config.bin %> sandbox ledger --json --query 'payouts[?executions > `1`]'",
    "<%= config.bin %> sandbox ledger --json --query 'orders[].[integratorOrderId, status, charges]'",
  ]

  static override readonly result = async () => (await import('../../lib/sandbox/result.ts')).ledgerResult

  async run(): Promise<Ledger> {
    await this.parse(SandboxLedger)
    const sandbox = await ownSandbox(this)
    return await sandbox.ledger()
  }

  protected override view(ledger: Ledger): View {
    const [payouts, ...others] = tablesOf(ledger)
    const filled = [payouts, ...others].filter((block) => block.rows.length > 0)
    return filled.length > 0 ? filled : [payouts]
  }
}

type Table = Extract<Block, { kind: 'table' }>

/** Columns by their heads. */
type Columns<Entry> = Readonly<Record<string, (entry: Entry) => Cell>>

function table<Entry>(entries: readonly Entry[], columns: Columns<Entry>): Table {
  const rows = entries.map((entry) => Object.values(columns).map((cell) => cell(entry)))
  return { kind: 'table', head: Object.keys(columns), rows, empty: 'Nothing was paid in this world.' }
}

function tablesOf(ledger: Ledger): readonly [Table, ...Table[]] {
  return [
    table(ledger.payouts, {
      transaction: ({ transactionId }) => transactionId,
      'unique id': ({ uniqueId }) => uniqueId,
      amount: ({ currency, amount }) => `${currency} ${amount}`,
      status: ({ status }) => status,
      executions: ({ executions }) => executions,
      created: ({ createdAt }) => createdAt,
    }),
    table(ledger.orders, {
      order: ({ integratorOrderId }) => integratorOrderId,
      amount: ({ currency, amount }) => `${currency} ${amount}`,
      status: ({ status }) => status,
      charges: ({ charges }) => charges,
      refunded: ({ refunded }) => refunded,
      refunds: ({ refunds }) => refunds,
      created: ({ createdAt }) => createdAt,
    }),
    table(ledger.walletOrders, {
      'wallet order': ({ uniqueId }) => uniqueId,
      amount: ({ amount }) => amount,
      status: ({ status }) => status,
      executions: ({ executions }) => executions,
      receiver: ({ receiverId }) => receiverId,
      created: ({ createdAt }) => createdAt,
    }),
    table(ledger.cards, {
      card: ({ cardBrand }) => cardBrand,
      number: ({ cardMask }) => cardMask,
      'saved with order': ({ integratorOrderId }) => integratorOrderId,
    }),
    table(ledger.subscriptions, {
      subscription: ({ subscriptionId }) => subscriptionId,
      amount: ({ amount }) => amount,
      status: ({ status }) => status,
      completed: ({ completed }) => completed,
      failed: ({ failed }) => failed,
      'next charge': ({ nextChargeAt }) => nextChargeAt,
    }),
    table(ledger.users, { user: ({ userId }) => userId, registered: ({ createdAt }) => createdAt }),
    table(ledger.callbacks, {
      callback: ({ id }) => id,
      'of order': ({ integratorOrderId }) => integratorOrderId,
      kind: ({ kind }) => kind,
      state: ({ state }) => state,
      attempts: ({ attempts }) => attempts,
    }),
  ]
}
