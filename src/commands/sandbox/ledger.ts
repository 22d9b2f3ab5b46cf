import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { Block, Cell, View } from '../../lib/cli/output/view.ts'
import { ownSandbox } from '../../lib/cli/sandbox.ts'
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
    const blocks = [payouts(ledger), ...others(ledger)]
    const filled = blocks.filter((block) => block.kind === 'table' && block.rows.length > 0)
    return filled.length > 0 ? filled : [payouts(ledger)]
  }
}

function table(head: readonly string[], rows: readonly (readonly Cell[])[], empty = ''): Block {
  return { kind: 'table', head, rows, empty }
}

function payouts({ payouts }: Ledger): Block {
  return table(
    ['transaction', 'unique id', 'amount', 'status', 'executions', 'created'],
    payouts.map((each) => [
      each.transactionId,
      each.uniqueId,
      `${each.currency} ${each.amount}`,
      each.status,
      each.executions,
      each.createdAt,
    ]),
    'Nothing was paid yet.',
  )
}

function others({ orders, walletOrders, cards, subscriptions, users, callbacks }: Ledger): Block[] {
  return [
    table(
      ['order', 'amount', 'status', 'charges', 'refunded', 'refunds', 'created'],
      orders.map((each) => [
        each.integratorOrderId,
        `${each.currency} ${each.amount}`,
        each.status,
        each.charges,
        each.refunded,
        each.refunds,
        each.createdAt,
      ]),
    ),
    table(
      ['wallet order', 'amount', 'status', 'executions', 'receiver', 'created'],
      walletOrders.map((each) => [
        each.uniqueId,
        each.amount,
        each.status,
        each.executions,
        each.receiverId,
        each.createdAt,
      ]),
    ),
    table(
      ['card', 'number', 'saved with order'],
      cards.map(({ cardBrand, cardMask, integratorOrderId }) => [cardBrand, cardMask, integratorOrderId]),
    ),
    table(
      ['subscription', 'amount', 'status', 'completed', 'failed', 'next charge'],
      subscriptions.map((each) => [
        each.subscriptionId,
        each.amount,
        each.status,
        each.completed,
        each.failed,
        each.nextChargeAt,
      ]),
    ),
    table(
      ['user', 'registered'],
      users.map(({ userId, createdAt }) => [userId, createdAt]),
    ),
    table(
      ['callback', 'of order', 'kind', 'state', 'attempts'],
      callbacks.map((each) => [each.id, each.integratorOrderId, each.kind, each.state, each.attempts]),
    ),
  ]
}
