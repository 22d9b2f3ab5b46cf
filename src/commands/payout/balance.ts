import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { refuse } from '../../lib/cli/flags/fields.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { validate } from '../../lib/contract/core/validate.ts'
import { payoutBalance } from '../../lib/contract/payout/payout.ts'
import { type Balance, readBalances } from '../../lib/desk/payout/balance.ts'

export default class PayoutBalance extends PaydeskCommand<Balance[]> {
  static override summary = 'Show the balance that payouts are paid from.'
  static override examples = [
    '<%= config.bin %> payout balance',
    '<%= config.bin %> payout balance --currency GEL --json',
  ]

  static override flags = {
    currency: Flags.string({ description: 'only this currency (GEL, USD, EUR); all of them otherwise' }),
  }

  static override readonly result = async () => (await import('../../lib/desk/payout/result.ts')).balancesResult

  readonly #desk = new DeskAccess(this)

  async run(): Promise<Balance[]> {
    const { flags } = await this.parse(PayoutBalance)
    if (flags.currency === undefined) return readBalances(await this.#desk.open(flags, 'payouts'), null)
    const checked = validate(
      payoutBalance,
      { currency: flags.currency },
      {
        permits: new Set(),
        orderType: null,
        now: this.edge.clock.now(),
      },
    )
    if (!checked.ok) throw refuse(payoutBalance, checked.violations)
    return readBalances(await this.#desk.open(flags, 'payouts'), checked.request.currency)
  }

  protected override view(balances: Balance[]): View {
    return [
      {
        kind: 'table',
        head: ['currency', 'amount', ''],
        rows: balances.map(({ currency, amount, note }) => [currency, amount, note]),
        empty: 'No account.',
      },
    ]
  }
}
