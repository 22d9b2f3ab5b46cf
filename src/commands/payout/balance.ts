import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { ReadAccess } from '../../lib/cli/desk/read.ts'
import type { View } from '../../lib/cli/views/view.ts'
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

  readonly #read = new ReadAccess(this)

  async run(): Promise<Balance[]> {
    const { flags } = await this.parse(PayoutBalance)
    const one = flags.currency === undefined ? null : this.#read.request(payoutBalance, flags).currency
    return readBalances(await this.#read.desk.open(flags, 'payouts'), one)
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
