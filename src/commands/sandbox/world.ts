import { PaydeskCommand } from '../../lib/cli/command.ts'
import { ownSandbox } from '../../lib/cli/own-sandbox.ts'
import type { Block, Cell, View } from '../../lib/cli/views/view.ts'
import type { WholeWorld } from '../../lib/sandbox/sandbox.ts'
import type { DistributorClient } from '../../lib/sandbox/world/world.ts'

export default class SandboxWorld extends PaydeskCommand<WholeWorld> {
  static override summary = 'Show who exists in the sandbox, secrets and balances included.'
  static override description =
    'The secrets open nothing but this sandbox, and change with `sandbox reset`. Keys are in the JSON only; the first call makes them, which takes a few seconds.'
  static override examples = [
    '<%= config.bin %> sandbox world',
    "<%= config.bin %> sandbox world --json --query 'distributorClients[0].clientSecret'",
    "<%= config.bin %> sandbox world --json --query 'integrators[0].servicePublicKey'",
  ]

  static override readonly result = async () => (await import('../../lib/sandbox/result.ts')).worldResult

  async run(): Promise<WholeWorld> {
    await this.parse(SandboxWorld)
    const sandbox = await ownSandbox(this)
    return await sandbox.wholeWorld()
  }

  protected override view(world: WholeWorld): View {
    return [
      { kind: 'facts', rows: [['world', world.worldId]] },
      ...world.distributorClients.flatMap(payers),
      ...sealers(world),
      people(world),
      ...props(world),
    ]
  }
}

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): Block {
  return { kind: 'table', head, rows, empty: '' }
}

function payers(client: DistributorClient): Block[] {
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
    table(
      ['account', 'currency', 'balance', ''],
      client.accounts.map(({ iban, currency, balance, main }) => [iban, currency, balance, main ? 'main' : null]),
    ),
  ]
}

function sealers({ integrators, walletIntegrators }: WholeWorld): Block[] {
  return [
    ...integrators.map(
      ({ name, integratorId, orderType, scheme, permissions, defaults }): Block => ({
        kind: 'facts',
        title: `${name}: orders`,
        rows: [
          ['integrator id', integratorId],
          ['order type', orderType],
          ['scheme', scheme],
          ['permissions', permissions.join(', ')],
          ['commission', defaults.commissionType],
        ],
      }),
    ),
    table(
      ['wallet', 'identifier', 'scheme'],
      walletIntegrators.map(({ name, identifier, scheme }) => [name, identifier, scheme]),
    ),
  ]
}

function people({ receivers }: WholeWorld): Block {
  return table(
    ['receiver', 'type', 'name', 'for', ''],
    receivers.map(({ receiverId, receiverType, name, use, note }) => [receiverId, receiverType, name, use, note]),
  )
}

function props({ qrAddresses, testCards, rates, magicDescriptions }: WholeWorld): Block[] {
  return [
    table(
      ['QR code', 'amount', 'address'],
      qrAddresses.map(({ what, amount, uri }) => [what, amount, uri]),
    ),
    table(
      ['test card', 'number', 'good until', 'outcome'],
      testCards.map(({ name, cardMask, expirationDate, outcome }) => [name, cardMask, expirationDate, outcome]),
    ),
    table(['one', 'is worth in GEL'], Object.entries(rates)),
    table(
      ['a payout described as', 'ends in'],
      magicDescriptions.map(({ description, endsIn }) => [description, endsIn]),
    ),
  ]
}
