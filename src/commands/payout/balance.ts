import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { answerOr, curlFlags, readRequest } from '../../lib/cli/desk/read.ts'
import { answerOrCurl } from '../../lib/cli/unsent.ts'
import { balancesView } from '../../lib/cli/views.ts'
import { payoutBalance } from '../../lib/contract/payout/payout.ts'
import { type Balance, readBalances } from '../../lib/desk/payouts.ts'
import { Failure } from '../../lib/failure.ts'

export default class PayoutBalance extends PaydeskCommand<Balance[]> {
  static override summary = 'Show the balances that payouts are paid from.'
  static override examples = [
    '<%= config.bin %> payout balance',
    '<%= config.bin %> payout balance --currency GEL --json',
  ]

  static override flags = {
    currency: Flags.string({ description: 'only this currency (GEL, USD, EUR)' }),
    ...curlFlags,
  }

  static override readonly result = answerOrCurl('balancesResult')

  async run() {
    const { flags } = await this.parse(PayoutBalance)
    const one = flags.currency === undefined ? null : readRequest(this, payoutBalance, flags).currency
    if (flags.curl && one === null) throw new Failure('usage', '--curl shows one request: add --currency')
    return answerOr(this, flags, 'payouts', (desk) => readBalances(desk, one))
  }

  protected override readonly view = balancesView
}
