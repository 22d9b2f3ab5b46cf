import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { answerOr, answerOrCurl, curlFlags, ReadAccess, type ReadCurl, viewOrCurl } from '../../lib/cli/desk/read.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { payoutBalance } from '../../lib/contract/payout/payout.ts'
import { type Balance, readBalances } from '../../lib/desk/payouts.ts'
import { Failure } from '../../lib/failure.ts'

export default class PayoutBalance extends PaydeskCommand<Balance[] | ReadCurl> {
  static override summary = 'Show the balances that payouts are paid from.'
  static override examples = [
    '<%= config.bin %> payout balance',
    '<%= config.bin %> payout balance --currency GEL --json',
  ]

  static override flags = {
    currency: Flags.string({ description: 'only this currency (GEL, USD, EUR)' }),
    ...curlFlags,
  }

  static override readonly result = async () => answerOrCurl((await import('../../lib/desk/results.ts')).balancesResult)

  readonly #read = new ReadAccess(this)

  async run(): Promise<Balance[] | ReadCurl> {
    const { flags } = await this.parse(PayoutBalance)
    const one = flags.currency === undefined ? null : this.#read.request(payoutBalance, flags).currency
    if (flags.curl && one === null) throw new Failure('usage', '--curl shows one request: add --currency')
    return answerOr(this.#read.desk, flags, 'payouts', (desk) => readBalances(desk, one))
  }

  protected override view(result: Balance[] | ReadCurl): View {
    return viewOrCurl(result, balancesView)
  }
}

function balancesView(balances: Balance[]): View {
  const rows = balances.map(({ currency, amount, note }) => [currency, amount, note])
  return [{ kind: 'table', head: ['currency', 'amount', ''], rows, empty: 'No account.' }]
}
