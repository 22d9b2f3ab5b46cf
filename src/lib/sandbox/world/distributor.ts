/**
 * The clients that pay out, and the money they begin with. They are rows of a world: one that was made by an older release
 * gets those it lacks, and keeps its ledger.
 */
import { commissionPerMille, payoutLimits } from '../../contract/assumed.ts'
import { minorUnits } from '../../contract/core/decimal.ts'
import type { Permission } from '../../contract/core/permission.ts'
import type { Random } from '../../edge.ts'
import type { WorldRows } from '../../store/sandbox/world.ts'

interface Opening {
  readonly iban: string
  readonly currency: string
  readonly balance: string
  readonly main: boolean
}

interface Plan {
  readonly name: string
  readonly clientId: string
  readonly paysOutBy: 'iban' | 'receiver'
  readonly permissions: readonly Permission[]
  readonly currencies: readonly string[]
  readonly limits: { readonly minimum: string; readonly maximum: string } | null
  readonly commissionPerMille: number
  readonly accounts: readonly Opening[]
}

/** Of a client that pays out by IBAN and may do whatever there is. */
const everything = {
  paysOutBy: 'iban',
  permissions: ['debtor', 'fromIban'],
  currencies: ['GEL', 'USD', 'EUR'],
  limits: payoutLimits,
  commissionPerMille,
} as const

export const distributors: readonly Plan[] = [
  {
    name: 'sandbox',
    clientId: '5a9db0c0-0001-4a11-8c11-000000000001',
    paysOutBy: 'iban',
    permissions: [],
    currencies: ['GEL', 'USD'],
    limits: payoutLimits,
    commissionPerMille,
    accounts: [
      // More than the largest payout, so that one just above the maximum is refused for that and not for the balance.
      { iban: 'GE78SB1000000000000001', currency: 'GEL', balance: '1000000.00', main: true },
      { iban: 'GE51SB1000000000000002', currency: 'USD', balance: '250000.00', main: true },
    ],
  },
  {
    name: 'sandbox-receiver',
    clientId: '5a9db0c0-0002-4a11-8c11-000000000002',
    paysOutBy: 'receiver',
    permissions: ['debtor', 'fromIban'],
    currencies: ['GEL', 'USD', 'EUR'],
    limits: null,
    commissionPerMille: 0,
    accounts: [
      { iban: 'GE02SB1000000000000011', currency: 'GEL', balance: '500000.00', main: true },
      { iban: 'GE72SB1000000000000012', currency: 'USD', balance: '100000.00', main: true },
      { iban: 'GE45SB1000000000000013', currency: 'EUR', balance: '75000.00', main: true },
      { iban: 'GE18SB1000000000000014', currency: 'GEL', balance: '20000.00', main: false },
    ],
  },
  {
    name: 'sandbox-full',
    clientId: '5a9db0c0-0003-4a11-8c11-000000000003',
    ...everything,
    accounts: [
      { iban: 'GE23SB1000000000000021', currency: 'GEL', balance: '1000000.00', main: true },
      { iban: 'GE93SB1000000000000022', currency: 'USD', balance: '250000.00', main: true },
      { iban: 'GE66SB1000000000000023', currency: 'EUR', balance: '150000.00', main: true },
      { iban: 'GE39SB1000000000000024', currency: 'GEL', balance: '20000.00', main: false },
    ],
  },
  {
    name: 'sandbox-poor',
    clientId: '5a9db0c0-0004-4a11-8c11-000000000004',
    ...everything,
    accounts: [
      { iban: 'GE44SB1000000000000031', currency: 'GEL', balance: '20.00', main: true },
      { iban: 'GE17SB1000000000000032', currency: 'USD', balance: '5.00', main: true },
      { iban: 'GE87SB1000000000000033', currency: 'EUR', balance: '2.00', main: true },
      // Less than the smallest payout and its commission.
      { iban: 'GE60SB1000000000000034', currency: 'GEL', balance: '0.02', main: false },
    ],
  },
]

const units = (amount: string): number => Number(minorUnits(amount))

const flag = (is: boolean): 0 | 1 => (is ? 1 : 0)

/** Rows of a world: its clients, except those that it has already, with new secrets and their opening balances. */
export function distributorRows(
  random: Random,
  known: ReadonlySet<string> = new Set(),
): Pick<WorldRows, 'clients' | 'accounts'> {
  const missing = [...distributors.entries()].filter(([, { clientId }]) => !known.has(clientId))
  return {
    clients: missing.map(([position, plan]) => ({
      position,
      client_id: plan.clientId,
      name: plan.name,
      secret: random.secret(32),
      pays_out_by: plan.paysOutBy,
      permissions: plan.permissions.join(','),
      currencies: plan.currencies.join(','),
      minimum: plan.limits ? units(plan.limits.minimum) : null,
      maximum: plan.limits ? units(plan.limits.maximum) : null,
      commission_per_mille: plan.commissionPerMille,
    })),
    accounts: missing.flatMap(([, plan]) =>
      plan.accounts.map(({ iban, currency, balance, main }, position) => ({
        position,
        iban,
        client_id: plan.clientId,
        currency,
        opening: units(balance),
        main: flag(main),
      })),
    ),
  }
}
