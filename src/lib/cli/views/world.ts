/** The tenants of the sandbox as people see them, and what `sandbox world` hands out to other programs. */
import type { ResultOf } from '../../result.ts'
import type { DistributorClient } from '../../sandbox/accounts/world.ts'
import type { worldExportResult } from '../../sandbox/result.ts'
import type { WholeWorld } from '../../sandbox/sandbox.ts'
import { singleQuoted } from '../../shell-word.ts'
import type { Block, Cell } from '../drawing/block.ts'
import type { View } from './view.ts'

export function worldView(world: WholeWorld): View {
  return [
    {
      kind: 'facts',
      rows: [
        ['world', world.worldId],
        ['strict', world.settings.strict ? 'yes' : 'no'],
        ['its own refunds', `REFUNDED_BY_${world.settings.refundedBy}`],
      ],
    },
    ...world.distributorClients.flatMap(payers),
    ...sealers(world),
    people(world),
    ...props(world),
  ]
}

/** Lines for a shell; with --keys alone the names of the files. */
export function worldExportView({ variables, files }: ResultOf<typeof worldExportResult>): View {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${singleQuoted(value)}`)
  return [{ kind: 'text', text: (lines.length > 0 ? lines : files).join('\n') }]
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
      ({ name, integratorId, orderType, scheme, keyBits, permissions, orderLimits, defaults }): Block => ({
        kind: 'facts',
        title: `${name}: orders`,
        rows: [
          ['integrator id', integratorId],
          ['order type', orderType],
          ['scheme', scheme],
          ['keys', `${keyBits} bits`],
          ['permissions', permissions.join(', ') || 'none'],
          ['per order', `${orderLimits.minimum} to ${orderLimits.maximum}`],
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
    ['receiver', 'type', 'name', 'for', 'default bank', 'language', ''],
    receivers.map(({ receiverId, receiverType, name, use, note, defaultBank, language }) => [
      ...[receiverId, receiverType, name, use, defaultBank, language, note],
    ]),
  )
}

function props({ qrAddresses, testCards, rates, magicDescriptions, settings }: WholeWorld): Block[] {
  return [
    table(
      ['QR code', 'amount', 'address'],
      qrAddresses.map(({ what, amount, uri }) => [what, amount, uri]),
    ),
    table(
      ['test card', 'number', 'good until', 'outcome'],
      testCards.map(({ name, cardMask, expirationDate, outcome }) => [name, cardMask, expirationDate, outcome]),
    ),
    table(
      ['field', 'takes the providers'],
      Object.entries(settings.providers).map(([field, codes]) => [field, codes.join(', ')]),
    ),
    table(['one', 'is worth in GEL'], Object.entries(rates)),
    table(
      ['a payout described as', 'ends in'],
      magicDescriptions.map(({ description, endsIn }) => [description, endsIn]),
    ),
  ]
}
