import { PaydeskCommand } from '../../lib/command.ts'
import { openSandbox } from '../../lib/sandbox/sandbox.ts'
import type { DistributorClient, World } from '../../lib/sandbox/world.ts'
import type { Block, View } from '../../lib/terminal/view.ts'

export default class SandboxWorld extends PaydeskCommand<World> {
  static override summary = 'Show who exists in the sandbox, secrets and balances included.'
  static override description = 'The secrets open nothing but this sandbox, and change with `sandbox reset`.'
  static override examples = [
    '<%= config.bin %> sandbox world',
    "<%= config.bin %> sandbox world --json --query 'distributorClients[0].clientSecret'",
  ]

  async run(): Promise<World> {
    await this.parse(SandboxWorld)
    const sandbox = await openSandbox(this.places.sandbox, this.edge.clock, this.edge.random)
    this.closeAtEnd(() => sandbox.close())
    return await sandbox.world()
  }

  protected override view({ worldId, distributorClients, receivers, magicDescriptions }: World): View {
    return [
      { kind: 'facts', rows: [['world', worldId]] },
      ...distributorClients.flatMap(blocksOf),
      {
        kind: 'table',
        head: ['receiver', 'type', 'name'],
        rows: receivers.map(({ receiverId, receiverType, name }) => [receiverId, receiverType, name]),
        empty: '',
      },
      {
        kind: 'table',
        head: ['a payout described as', 'ends in'],
        rows: magicDescriptions.map(({ description, endsIn }) => [description, endsIn]),
        empty: '',
      },
    ]
  }
}

function blocksOf(client: DistributorClient): Block[] {
  const { limits } = client
  return [
    {
      kind: 'facts',
      title: client.name,
      rows: [
        ['client id', client.clientId],
        ['client secret', client.clientSecret],
        ['pays out by', client.paysOutBy],
        ['permissions', client.permissions.join(', ') || 'none'],
        ['per payout', limits ? `${limits.minimum} to ${limits.maximum}` : 'no limits'],
      ],
    },
    {
      kind: 'table',
      head: ['account', 'currency', 'balance', ''],
      rows: client.accounts.map(({ iban, currency, balance, main }) => [iban, currency, balance, main ? 'main' : null]),
      empty: '',
    },
  ]
}
