import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Block, type Labels, sumInWords, tableOf, type View } from '../../lib/cli/output/view.ts'
import { ownSandbox, timeAtService } from '../../lib/cli/sandbox.ts'
import type { Ledger } from '../../lib/sandbox/sandbox.ts'

export default class SandboxLedger extends PaydeskCommand<Ledger> {
  static override summary = 'Show what the sandbox really executed.'
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
    const paid = tableOf(ledger.payouts, payouts, 'Nothing was paid yet.')
    const tables: readonly (readonly [number, Block])[] = [
      [ledger.payouts.length, paid],
      [ledger.orders.length, tableOf(ledger.orders, orders)],
      [ledger.walletOrders.length, tableOf(ledger.walletOrders, walletOrders)],
      [ledger.cards.length, tableOf(ledger.cards, cards)],
      [ledger.subscriptions.length, tableOf(ledger.subscriptions, subscriptions)],
      [
        ledger.users.length,
        tableOf(ledger.users, { user: 'userId', registered: ({ createdAt }) => timeAtService(createdAt) }),
      ],
      [ledger.callbacks.length, tableOf(ledger.callbacks, callbacks)],
    ]
    const filled = tables.filter(([count]) => count > 0).map(([, table]) => table)
    return filled.length > 0 ? filled : [paid]
  }
}

const payouts: Labels<Ledger['payouts'][number]> = {
  transaction: 'transactionId',
  'unique id': 'uniqueId',
  amount: sumInWords,
  status: 'status',
  executions: 'executions',
  created: ({ createdAt }) => timeAtService(createdAt),
}

const orders: Labels<Ledger['orders'][number]> = {
  order: 'integratorOrderId',
  amount: sumInWords,
  status: 'status',
  charges: 'charges',
  refunded: 'refunded',
  refunds: 'refunds',
  created: ({ createdAt }) => timeAtService(createdAt),
}

const walletOrders: Labels<Ledger['walletOrders'][number]> = {
  'wallet order': 'uniqueId',
  amount: 'amount',
  status: 'status',
  executions: 'executions',
  receiver: 'receiverId',
  created: ({ createdAt }) => timeAtService(createdAt),
}

const cards: Labels<Ledger['cards'][number]> = {
  card: 'cardBrand',
  number: 'cardMask',
  'saved with order': 'integratorOrderId',
}

const subscriptions: Labels<Ledger['subscriptions'][number]> = {
  subscription: 'subscriptionId',
  amount: 'amount',
  status: 'status',
  completed: 'completed',
  failed: 'failed',
  'next charge': ({ nextChargeAt }) => timeAtService(nextChargeAt),
}

const callbacks: Labels<Ledger['callbacks'][number]> = {
  callback: 'id',
  'of order': 'integratorOrderId',
  kind: 'kind',
  state: 'state',
  attempts: 'attempts',
}
